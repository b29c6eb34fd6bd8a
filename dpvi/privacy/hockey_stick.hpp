#pragma once

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/dominating_pair.hpp>

namespace dpvi {

// Hockey-stick divergence of one step in closed form, which is delta at epsilon in one direction.
Bracket one_step_delta(Direction direction, double sampling_rate, double noise_multiplier,
                       double epsilon);
Bracket one_step_epsilon(Direction direction, double sampling_rate, double noise_multiplier,
                         double delta);

// The same in long double, for pairs whose parameters are not doubles.
Bracket hockey_stick(const DominatingPair<long double>& pair, double epsilon);

}  // namespace dpvi
