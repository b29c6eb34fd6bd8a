#include <dpvi/audit/audit_claim.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/hockey_stick.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

constexpr double kEpsilons[] = {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0};

// Brackets a little wider than those of a plan, since many claims are compared; upper ends stay
// upper ends.
constexpr PldEffort kQuick{.wanted_error = 1e-4,
                           .relative_error = 1e-3,
                           .absolute_error = 1e-3,
                           .relative_width = 1e-2,
                           .absolute_width = 1e-2,
                           .usual_length = std::size_t{1} << 13,
                           .few_steps_length = std::size_t{1} << 13};

GaussianRun with_noise(GaussianRun run, double factor) {
  for (GaussianPhase& phase : run) phase.noise_multiplier *= factor;
  return run;
}

bool everybody_takes_part(const GaussianRun& run) {
  return std::all_of(run.begin(), run.end(),
                     [](const GaussianPhase& phase) { return phase.sampling_rate == 1.0; });
}

// Of a run without sampling, which is one Gaussian mechanism (Dong, Roth & Su 2022, Corollary 3.3).
double mean_shift(const GaussianRun& run, Adjacency adjacency) {
  double sum = 0.0;
  for (const GaussianPhase& phase : run) {
    sum += static_cast<double>(phase.steps) / (phase.noise_multiplier * phase.noise_multiplier);
  }
  return (adjacency == Adjacency::substitute ? 2.0 : 1.0) * std::sqrt(sum);
}

double one_step(const GaussianPhase& phase, Adjacency adjacency, double epsilon) {
  const auto delta = [&](Direction direction) {
    return one_step_delta(direction, phase.sampling_rate, phase.noise_multiplier, epsilon).upper;
  };
  if (adjacency == Adjacency::substitute) return delta(Direction::substitute);
  return std::max(delta(Direction::add), delta(Direction::remove));
}

double delta_of(const GaussianRun& run, Adjacency adjacency, double epsilon) {
  if (everybody_takes_part(run)) {
    return analytic_gaussian_delta(mean_shift(run, adjacency), epsilon).upper;
  }
  if (run.size() == 1 && run[0].steps == 1) return one_step(run[0], adjacency, epsilon);
  return pld_delta(run, adjacency, epsilon, kQuick).upper;
}

}  // namespace

std::vector<ClaimPoint> claim_points(const GaussianRun& run, Adjacency adjacency,
                                     double noise_factor) {
  const GaussianRun claimed = with_noise(run, noise_factor);
  std::vector<ClaimPoint> points;
  for (const double epsilon : kEpsilons) {
    points.push_back({epsilon, delta_of(claimed, adjacency, epsilon)});
  }
  return points;
}

double claimed_epsilon(const GaussianRun& run, Adjacency adjacency, double noise_factor) {
  const GaussianRun claimed = with_noise(run, noise_factor);
  if (everybody_takes_part(claimed)) {
    return analytic_gaussian_epsilon(mean_shift(claimed, adjacency), kAuditDelta).upper;
  }
  return pld_epsilon(claimed, adjacency, kAuditDelta, kQuick).upper;
}

}  // namespace dpvi
