// A model written in C++, fitted privately: made-up records around the line 1 + 2 x, a few of them
// far off.
#include <cstdio>
#include <random>

#include <dpvi/fit/training_loop.hpp>

#include "robust_line.hpp"

namespace {

dpvi::RecordTable made_up_records(const dpvi::RecordTape& tape, int count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  dpvi::RecordTable table(static_cast<std::size_t>(tape.real_columns()), 0,
                          dpvi::Precision::single_precision);
  dpvi::RecordPreparer preparer(tape);
  std::vector<double> columns(table.real_slots());
  for (int i = 0; i < count; ++i) {
    const double x = normal(random);
    const double error = i % 50 == 0 ? 20.0 : 0.5 * normal(random);
    const double record[] = {x, 1.0 + 2.0 * x + error};
    preparer.prepare({record, {}}, columns.data(), nullptr);
    table.append(columns, {});
  }
  return table;
}

}  // namespace

int main() {
  const dpvi::RecordTape tape = record_function(robust_line::kShape, robust_line::log_density);
  const dpvi::UniformFunction prior = record_prior(robust_line::kShape, robust_line::log_prior);
  const dpvi::RecordTable records = made_up_records(tape, 20000);
  dpvi::RecordGradients gradients(tape, records, 1);

  // Each step: a tenth of the records, gradients of length at most 2, noise 8 times that.
  dpvi::ClipPlan clip;
  clip.first_bound = 2.0;
  const dpvi::LoopPlan plan{.phases = {{.sampling_rate = dpvi::SamplingRate::from_double(0.1),
                                        .grid = dpvi::NoiseGrid(8.0),
                                        .steps = 600}},
                            .clip = clip,
                            .learning_rate = 0.05};
  const dpvi::GaussianFamily family(dpvi::FamilyKind::mean_field, 3);
  const dpvi::LoopOutcome outcome = dpvi::run_private_loop(
      plan, {&prior, &gradients, {true, true, true}}, family,
      {dpvi::Coordinates::identity(3), 0.02}, 
      [](std::int64_t, const dpvi::Released&) { return true; }, {});
  const auto location = family.location(outcome.parameters);
  std::printf("alpha %.2f  beta %.2f  sigma %.2f\n", location[0], location[1],
              std::exp(location[2]));
}
