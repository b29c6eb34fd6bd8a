// Measures how long each accounting question takes. Every answer is checked against a published
// value before it is timed. The reference is the Rényi accountant on the same question in the same
// run.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/rdp.hpp>

#include "best_time.hpp"

namespace {

using namespace dpvi;

void require_near(const char* what, double found, double known, double tolerance) {
  if (std::abs(found - known) <= tolerance) return;
  fmt::print(stderr, "{}: {} where {} is known\n", what, found, known);
  std::exit(1);
}

void report(const char* what, const std::function<void()>& ours,
            const std::function<void()>& reference) {
  const double ours_ns = best_time(ours);
  const double reference_ns = best_time(reference);
  fmt::print("{:<52}{:>10.1f} ms   {:>6.1f} x Renyi\n", what, 1e-6 * ours_ns,
             ours_ns / reference_ns);
}

}  // namespace

int main() {
  constexpr Adjacency kAddRemove = Adjacency::add_remove;
  constexpr Adjacency kSubstitute = Adjacency::substitute;
  const GaussianRun usual{{0.01, 2.0, 10000}}, long_run{{0.01, 2.0, 100000}};
  const GaussianPhase relative{0.01, 1.0, 10000};
  const PrivacyTarget target{kSubstitute, 1.0, 1e-6};

  require_near("epsilon", pld_epsilon(usual, kSubstitute, 1e-6).upper, 4.907397768991888, 1e-4);
  require_near("epsilon", pld_epsilon(long_run, kAddRemove, 1e-6).upper, 8.984848512304165, 5e-4);
  const CalibratedRun solved = calibrate_noise_on_grid({&relative, 1}, target);
  require_near("calibrated epsilon", solved.epsilon.upper, 1.0, 1e-4);

  report(
      "epsilon, substitute, T = 1e4", [&] { pld_epsilon(usual, kSubstitute, 1e-6); },
      [&] { rdp_epsilon(usual, kSubstitute, 1e-6); });
  report(
      "epsilon, add/remove, T = 1e5", [&] { pld_epsilon(long_run, kAddRemove, 1e-6); },
      [&] { rdp_epsilon(long_run, kAddRemove, 1e-6); });
  report(
      "noise for epsilon 1, substitute, T = 1e4, q = .01",
      [&] {
        calibrate_noise_on_grid({&relative, 1}, target);
      },
      [&] { rdp_epsilon(usual, kSubstitute, 1e-6); });
}
