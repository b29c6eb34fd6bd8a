#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/pld.hpp>
#include <tests/support/fixed_seed_check.hpp>

namespace dpvi::testing_privacy {

// Checks a property on `cases` random inputs, which are the same on every run.
template <class Property>
void check_always(int cases, const Property& property) {
  EXPECT_EQ(counterexample(property, 20170711, cases), "");
}

// Log-uniform between the two ends.
inline double log_uniform(double first, double last) {
  // Full size from the first case on; otherwise rapidcheck would widen the range only gradually.
  const double share = *rc::gen::resize(100, rc::gen::inRange(0, 1'000'001)) / 1e6;
  return first * std::pow(last / first, share);
}

struct RandomCase {
  GaussianPhase phase;
  double delta = 0;
};

// Covers the ranges used in practice and somewhat more.
inline RandomCase random_case(double most_steps = 1e6) {
  RandomCase found;
  found.phase.sampling_rate = log_uniform(1e-7, 1);
  found.phase.noise_multiplier = log_uniform(0.3, 200);
  found.phase.steps = std::llround(log_uniform(1, most_steps));
  found.delta = log_uniform(1e-12, 0.1);
  return found;
}

inline std::string text_of(const RandomCase& found) {
  std::ostringstream text;
  text.precision(17);
  text << "q " << found.phase.sampling_rate << " s " << found.phase.noise_multiplier << " T "
       << found.phase.steps << " delta " << found.delta;
  return text.str();
}

// Brackets hold at any effort; low effort makes many cases cheap.
inline constexpr PldEffort kLittleEffort{.wanted_error = 1e-3,
                                         .relative_width = 1e-2,
                                         .absolute_width = 1e-3,
                                         .usual_length = std::size_t{1} << 13,
                                         .few_steps_length = std::size_t{1} << 13,
                                         .largest_length = std::size_t{1} << 15};

}  // namespace dpvi::testing_privacy
