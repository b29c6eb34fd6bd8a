#include <dpvi/experiment/mixture_table.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

struct Centre {
  double x, y;
};
constexpr std::array<Centre, 5> kCentres = {{{0, 0}, {2, 2}, {2, -2}, {-2, 2}, {-2, -2}}};

}  // namespace

ExperimentTable mixture_table(const MixtureData& data) {
  ExperimentTable table;
  table.header = {"x.1", "x.2"};
  table.training_rows = data.training_rows;
  table.outcome = std::string("x.1");
  const double sd = std::sqrt(data.variance);
  SeededStream stream = SeededGenerator(data.seed).stream({.label = StreamLabel::predictive_draw});
  for (std::size_t row = 0; row < data.training_rows + data.test_rows; ++row) {
    const Centre& centre = kCentres[stream.next() % kCentres.size()];
    const double x = centre.x + sd * standard_normal(stream);
    const double y = centre.y + sd * standard_normal(stream);
    table.rows.push_back({fmt::format("{:.9g}", x), fmt::format("{:.9g}", y)});
  }
  return table;
}

double true_log_density(const ExperimentTable& table, double variance) {
  double sum = 0.0;
  for (std::size_t row = table.training_rows; row < table.rows.size(); ++row) {
    const double x = std::stod(table.rows[row][0]), y = std::stod(table.rows[row][1]);
    double density = 0.0;
    for (const Centre& centre : kCentres) {
      const double square = (x - centre.x) * (x - centre.x) + (y - centre.y) * (y - centre.y);
      density += std::exp(-0.5 * square / variance) /
                 (2.0 * std::numbers::pi * variance * static_cast<double>(kCentres.size()));
    }
    sum += std::log(density);
  }
  return sum / static_cast<double>(table.rows.size() - table.training_rows);
}

}  // namespace dpvi
