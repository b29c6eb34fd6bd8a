#include <dpvi/privacy/tilted_step.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/privacy/geometric_weights.hpp>

namespace dpvi {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

std::int64_t place_on_circle(std::int64_t index, std::size_t length) {
  const auto size = static_cast<std::int64_t>(length);
  return ((index % size) + size) % size;
}

TiltedStep make_tilted_step(const ComposedSteps& phase, const CompositionGrid& grid) {
  const double spacing = grid.spacing();
  const LossLattice lattice = make_loss_lattice(phase.pair, spacing, phase.range);
  const std::size_t count = lattice.upper.size();
  const double offset = lattice.offset;
  const double further_tilt = grid.far_tilt - grid.tilt;
  GeometricWeights tilt(grid.tilt * spacing, grid.tilt * offset - phase.log_moment);
  GeometricWeights further(further_tilt * spacing, further_tilt * offset);
  GeometricWeights backward(-grid.low_tilt * spacing, -grid.low_tilt * offset);

  TiltedStep step;
  ComplexVector tilted(count);
  std::size_t heaviest = 0;
  double far_sum = 0, low_sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t index = lattice.first + static_cast<std::int64_t>(i);
    const double weight = tilt(index);
    const double exponent =
        grid.tilt * (std::abs(spacing * static_cast<double>(index)) + std::abs(offset)) +
        std::abs(phase.log_moment);
    const double slack = kUnit * (16 + 4 * exponent);
    const double upper = lattice.upper[i] * weight * (1 + slack);
    const double lower = lattice.lower[i] * weight * std::max(0.0, 1 - slack);
    tilted[i] = {upper, lower};
    if (upper > tilted[heaviest].real()) heaviest = i;
    step.upper_total += upper;
    far_sum += upper * further(index);
    low_sum += lattice.lower[i] * backward(index);
  }

  step.origin = lattice.first + static_cast<std::int64_t>(heaviest);
  step.circle.assign(grid.length, 0);
  auto place = place_on_circle(lattice.first - step.origin, grid.length);
  for (const auto& mass : tilted) {
    step.circle[static_cast<std::size_t>(place)] += mass;
    if (++place == static_cast<std::int64_t>(grid.length)) place = 0;
  }
  step.heaviest = std::exchange(step.circle[0], 0);
  for (const auto& mass : step.circle) step.rest += mass.real() + mass.imag();
  step.far_log_moment = std::log(far_sum);
  step.low_log_moment = std::log(low_sum);
  step.largest_loss = offset + spacing * static_cast<double>(lattice.first) +
                      spacing * static_cast<double>(count - 1);
  step.infinite = lattice.infinite;
  return step;
}

}  // namespace dpvi
