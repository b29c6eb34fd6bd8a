#include <dpvi/fit/plan/loop_start.hpp>

#include <utility>

namespace dpvi {

LoopStart::LoopStart(Coordinates chosen, double scale)
    : coordinates(std::move(chosen)),
      location(coordinates.size(), 0.0),
      scales(coordinates.size(), scale) {}

LoopStart::LoopStart(Coordinates chosen, std::span<const double> theta,
                     std::span<const double> theta_scales)
    : coordinates(std::move(chosen)),
      location(coordinates.size()),
      scales(theta_scales.begin(), theta_scales.end()) {
  coordinates.from_theta(theta, location);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] /= coordinates.factor(i, i);
}

}  // namespace dpvi
