#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/base/rank_link.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {

// What the root tells the other ranks before each step: everything that a sum of clipped gradients
// depends on, except the records and the shared keys. All of it is public once the result is.
struct StepMessage {
  ClipSettings clip;
  SamplingRate rate;
  std::span<const double> theta;
  std::span<const GradientTerm> joint;
  const Coordinates* coordinates = nullptr;  // nullptr: those of the step before
};

// A message as another rank holds it.
struct ReceivedStep {
  ClipSettings clip;
  SamplingRate rate;
  std::vector<double> theta;
  std::vector<GradientTerm> joint;
  std::optional<Coordinates> coordinates;
};

// How a job ends.
enum class JobEnd { done, failed };

void send_step(RankLink& ranks, const StepMessage& step);
void send_end(RankLink& ranks, JobEnd end);

// Waits for the root. Returns nullopt after the last step. Throws InternalError DP502 if the root
// failed.
std::optional<ReceivedStep> receive_step(RankLink& ranks);

}  // namespace dpvi
