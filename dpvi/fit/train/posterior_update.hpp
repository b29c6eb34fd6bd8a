#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/fit/train/step_point.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/optim/update_direction.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The posterior to fit: the density without records, and the contribution of one record.
struct LoopModel {
  const UniformFunction* prior;
  RecordGradients* gradients;
  // For each entry of theta: true if record gradients can be non-zero. Releases of the other
  // coordinates contain noise only and are left out.
  std::vector<bool> used_by_records;
};

// Public numbers that turn the release of a step into a direction.
struct StepScale {
  double sampling_rate = 1.0;
  double step_size = 0.0;
  double noise_variance = 0.0;  // per entry of the estimated full-data gradient
};

// Rule that turns releases into iterates. Each step requests a point, releases the sum over records
// there, and moves the parameters according to the release. An update sees only releases and public
// numbers.
template <class Update>
concept PosteriorUpdate =
    requires(Update& update, std::span<const double> draw, const Released& released,
             const StepScale& scale, const UpdateDirection& direction) {
      { update.draw_size() } -> std::same_as<std::size_t>;
      { update.point(draw) } -> std::same_as<StepPoint>;
      { update.direction(released, scale) } -> std::same_as<UpdateDirection>;
      update.move(direction, scale.step_size);
      // The point of the last step, in working coordinates.
      { update.working_point() } -> std::convertible_to<std::span<const double>>;
      // Family parameters in working coordinates.
      { update.parameters() } -> std::convertible_to<std::span<const double>>;
      // For each working coordinate: true if records can move it.
      { update.used() } -> std::convertible_to<const std::vector<bool>&>;
    };

}  // namespace dpvi
