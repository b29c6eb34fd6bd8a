// Privately fits a model written in C++ to mock records around the line 1 + 2 x, with a few
// outliers.
#include <cmath>
#include <cstdio>
#include <random>

#include <dpvi/fit/train/private_fit.hpp>

#include "robust_line.hpp"

namespace {

void append_mock_records(dpvi::PreparedRecords& records, int count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < count; ++i) {
    const double x = normal(random);
    const double error = i % 50 == 0 ? 20.0 : 0.5 * normal(random);
    const double record[] = {x, 1.0 + 2.0 * x + error};
    records.append(record, {});
  }
}

}  // namespace

int main() {
  const dpvi::RecordTape tape = record_function(robust_line::kShape, robust_line::log_density);
  const dpvi::UniformFunction prior = record_prior(robust_line::kShape, robust_line::log_prior);

  // The noise follows from epsilon. Gradients are clipped at norm 2.
  const dpvi::PrivacyPlan privacy = dpvi::plan_privacy_of_fit({.epsilon = 1.0, .steps = 600});
  dpvi::FitSettings settings;
  settings.clip = dpvi::ClipMode::fixed;
  settings.clip_bounds = {2.0};
  settings.schedule = dpvi::ScheduleKind::constant;
  settings.learning_rate = 0.05;
  const dpvi::PrivateFitPlan plan =
      dpvi::plan_private_fit({.tape = &tape,
                              .prior = &prior,
                              .used_by_records = {true, true, true},
                              .precision = dpvi::Precision::single_precision},
                             privacy, settings);

  // The privacy cost is settled; only now are the records opened.
  dpvi::PrivateRecords records = dpvi::open_records(
      plan, [](dpvi::PreparedRecords& into) { append_mock_records(into, 20000); });
  const dpvi::FittedPosterior fitted = dpvi::fit_privately(std::move(records), {}, {});

  const auto location = plan.family().location(fitted.family_parameters);
  std::printf("alpha %.2f  beta %.2f  sigma %.2f\n", location[0], location[1],
              std::exp(location[2]));
  std::printf("epsilon %.2f, delta %.0e\n", plan.privacy().epsilon, plan.privacy().delta);
}
