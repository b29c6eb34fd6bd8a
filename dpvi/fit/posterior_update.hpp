#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/fit/step_point.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/optim/update_direction.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/tape/uniform_function.hpp>

namespace dpvi {

// The posterior to be fitted: the program on no record, and one record's contribution.
struct LoopModel {
  const UniformFunction* prior;
  RecordGradients* gradients;
  // For each entry of theta: whether record gradients can differ from zero. What is released of the
  // other coordinates is noise alone and is left out.
  std::vector<bool> used_by_records;
};

// Public numbers of one step that turn its release into a direction.
struct StepScale {
  double sampling_rate = 1.0;
  double step_size = 0.0;
  double noise_variance = 0.0;  // of one entry of the estimated full-data gradient
};

// How a run turns releases into iterates. Each step asks for a point, releases the records' sum
// there, and moves the parameters by what the release says. An update sees releases and public
// numbers only.
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
      // Of the family, in working coordinates.
      { update.parameters() } -> std::convertible_to<std::span<const double>>;
      // For each working coordinate: whether records can move it.
      { update.used() } -> std::convertible_to<const std::vector<bool>&>;
    };

}  // namespace dpvi
