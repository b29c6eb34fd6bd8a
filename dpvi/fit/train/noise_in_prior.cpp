#include <dpvi/fit/train/noise_in_prior.hpp>

#include <algorithm>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {

std::vector<double> move_by_hidden_noise(const Gaussian& fitted, const LocationNoise& noise,
                                         const UniformFunction& prior,
                                         const std::vector<bool>& used_by_records) {
  const Family& family = *fitted.family;
  const std::size_t size = family.dimension();
  std::vector<double> move(size, 0.0);
  if (std::ranges::find(used_by_records, false) == used_by_records.end()) return move;
  constexpr int kDraws = 200;
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::predictive_draw});
  std::vector<double> eta(family.draw_size()), error(noise.draw_size());
  std::vector<double> theta(size), before(size), after(size);
  for (int draw = 0; draw < kDraws; ++draw) {
    fill_standard_normal(stream, eta);
    fill_standard_normal(stream, error);
    family.transform(fitted.parameters, eta, theta);
    prior.value_and_gradient(theta, before);
    noise.add_draw(error, theta);
    prior.value_and_gradient(theta, after);
    for (std::size_t i = 0; i < size; ++i) {
      if (!used_by_records[i]) move[i] += (after[i] - before[i]) / kDraws;
    }
  }
  const std::vector<double> sds = family.standard_deviations(fitted.parameters);
  for (std::size_t i = 0; i < size; ++i) move[i] *= sds[i] * sds[i];
  return move;
}

}  // namespace dpvi
