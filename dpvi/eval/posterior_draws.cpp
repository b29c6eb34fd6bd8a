#include <dpvi/eval/posterior_draws.hpp>

#include <dpvi/random/standard_normal.hpp>

namespace dpvi {

std::vector<std::vector<double>> posterior_draws(const Family& family,
                                                 std::span<const double> parameters,
                                                 std::size_t count,
                                                 const SeededGenerator& generator) {
  SeededStream stream = generator.stream({.label = StreamLabel::predictive_draw});
  std::vector<double> eta(family.draw_size());
  std::vector<std::vector<double>> draws(count, std::vector<double>(family.dimension()));
  for (std::vector<double>& theta : draws) {
    fill_standard_normal(stream, eta);
    family.transform(parameters, eta, theta);
  }
  return draws;
}

}  // namespace dpvi
