#pragma once

#include <dpvi/privacy/bracket.hpp>

namespace dpvi {

// The ordered pairs of output distributions that dominate one step; the first plays P, the second
// Q. In units of the clip bound, N(m) is normal with mean m and the noise multiplier as deviation.
enum class Direction {
  remove,     // (1-q) N(0) + q N(1)  against  N(0)
  add,        // N(0)  against  (1-q) N(0) + q N(1)
  substitute  // (1-q) N(0) + q N(1)  against  (1-q) N(0) + q N(-1)
};

// Hockey-stick divergence of one step, in closed form: the delta at epsilon in one direction.
Bracket one_step_delta(Direction direction, double sampling_rate, double noise_multiplier,
                       double epsilon);
Bracket one_step_epsilon(Direction direction, double sampling_rate, double noise_multiplier,
                         double delta);

}  // namespace dpvi
