#include <dpvi/fit/mock/law_points.hpp>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {

std::vector<std::vector<double>> law_points(const RecordModel& model) {
  constexpr std::size_t kDraws = 3, kPointsNearZero = 3, kMostDrawn = 200;
  constexpr double kSpread = 0.5;
  SeededStream stream = SeededGenerator(5).stream({.label = StreamLabel::variational_draw});
  std::vector<std::vector<double>> points;
  if (model.dimension() <= kMostDrawn) {
    points = draws_from_prior(model.prior(), model.dimension(), kDraws, stream);
  }
  for (std::size_t i = 0; i < kPointsNearZero; ++i) {
    std::vector<double>& point = points.emplace_back(model.dimension());
    fill_standard_normal(stream, point);
    for (double& entry : point) entry *= kSpread;
  }
  return points;
}

}  // namespace dpvi
