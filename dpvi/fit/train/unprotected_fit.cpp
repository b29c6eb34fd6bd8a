#include <dpvi/fit/train/unprotected_fit.hpp>

#include <cmath>
#include <numeric>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>

namespace dpvi {
namespace {

Mode highest_mode(const ValueAndGradientFunction& posterior,
                  std::span<const std::vector<double>> starts) {
  Mode best = find_mode(posterior, starts[0]);
  for (const std::vector<double>& start : starts.subspan(1)) {
    Mode mode = find_mode(posterior, start);
    if (mode.value > best.value || !std::isfinite(best.value)) best = std::move(mode);
  }
  return best;
}

std::vector<std::vector<double>> starts_of_climbs(const FitSettings& settings, std::size_t size) {
  if (settings.initial) return {settings.initial->theta};
  if (!settings.mode_starts.empty()) return settings.mode_starts;
  return {std::vector<double>(size, 0.0)};
}

// Coordinates of the Gaussian approximation at the posterior mode. The search for the mode begins
// at the initial values.
Coordinates mode_coordinates(const RecordModel& model, RecordGradients& gradients,
                             std::span<const std::uint64_t> records, const Family& family,
                             const FitSettings& settings) {
  const auto posterior = [&](std::span<const double> theta, std::span<double> gradient) {
    const double prior = model.prior().value_and_gradient(theta, gradient);
    const auto sum = gradients.plain_value(theta, records);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += sum.gradient[i];
    return prior + sum.value;
  };
  const Mode mode = highest_mode(posterior, starts_of_climbs(settings, family.dimension()));
  const Eigen::MatrixXd precision = square_matrix(mode.precision);
  // The best independent Gaussian for a Gaussian posterior has its conditional precisions.
  Eigen::MatrixXd factor = precision.diagonal().cwiseInverse().cwiseSqrt().asDiagonal();
  if (family.description().covariances == CovarianceClass::any) {
    factor = cholesky_factor(pseudo_inverse(precision)).value_or(factor);
  }
  return {mode.theta, rows_of(factor)};
}

}  // namespace

FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const UnprotectedRun& run, const FitSettings& settings,
                                const FitSpeed& speed, const FitProgress& progress) {
  ClipPlan clip;
  clip.rows = static_cast<double>(records.record_count());
  const LoopPlan plan = make_loop_plan({&run.phase, 1}, settings, clip);
  const SharedFamily family = settings.family_of(model.dimension());
  RecordGradients gradients(model.tape(), records.table(), speed.threads);
  gradients.measure_clipping(speed.profile);
  std::vector<std::uint64_t> all(records.record_count());
  std::iota(all.begin(), all.end(), 0u);
  const LoopStart start(mode_coordinates(model, gradients, all, *family, settings), 1.0);
  LoopOutcome outcome =
      run_unprotected_loop(plan, {&model.prior(), &gradients, model.used_by_records()}, *family,
                           start, run.seed, watcher_of(progress, run.phase.steps));
  const std::string initial = settings.initial ? "mode from " + settings.initial->name : "mode";
  ExecutedLoop loop =
      executed_loop(plan, outcome, {initial, "whitened at the mode", common_scale(start)});
  return fitted_posterior(std::move(outcome), std::move(loop), std::nullopt);
}

}  // namespace dpvi
