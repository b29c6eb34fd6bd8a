#include <dpvi/audit/canary_loop.hpp>

#include <cmath>
#include <utility>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <dpvi/model/recorded_function.hpp>

namespace dpvi {
namespace {

ModelShape shape_of(const CanarySetup& setup) {
  const auto size = static_cast<std::int32_t>(setup.dimension);
  const bool joined = setup.joined_rows > 0;
  return {.parameters = size,
          .reals = joined ? size * setup.joined_rows : size,
          .integers = joined || setup.outcomes > 0 ? 1 : 0};
}

std::optional<UnitWidth> unit_of(const CanarySetup& setup) {
  if (setup.joined_rows == 0) return std::nullopt;
  return UnitWidth{.reals = setup.dimension,
                   .integers = 0,
                   .most_rows = static_cast<std::size_t>(setup.joined_rows),
                   .parts = {{.integers = false, .first = 0, .count = setup.dimension}}};
}

// `rows` is the number of rows that the record has; the places of others hold its first row.
Expression joined_density(const CanarySetup& setup, Expression theta, Expression reals,
                          Expression rows) {
  GraphBuilder& builder = *theta.builder;
  const auto size = static_cast<std::int32_t>(setup.dimension);
  Expression total = dot(theta, theta.with(builder.slice(reals.id, 0, size)));
  for (std::int32_t row = 1; row < setup.joined_rows; ++row) {
    const Expression own = theta.with(builder.slice(reals.id, row * size, size));
    const Expression term = dot(theta, own) * (1.0 + reals[(row - 1) * size]);
    const NodeId there = builder.binary(Op::le, builder.constant(row + 1.0), rows.id);
    total = total + theta.with(builder.select(there, term.id, builder.constant(0.0)));
  }
  return total;
}

RecordTape tape_of(const CanarySetup& setup) {
  return record_function(
      shape_of(setup), [&](Expression theta, Expression reals, Expression integers) {
        if (setup.joined_rows > 0) return joined_density(setup, theta, reals, integers);
        const Expression product = dot(theta, reals);
        if (setup.outcomes == 0) {
          return setup.offset == 0.0 ? product : product + setup.offset * theta[0];
        }
        std::vector<NodeId> terms;
        for (int k = 0; k < setup.outcomes; ++k) terms.push_back((product * k).id);
        return integers[0] * product - log_sum_exp(product.with(product.builder->pack(terms)));
      });
}

// The audit's own choice of a plan: everything but the run is the smallest that works.
LoopPlan plain_plan(const CanarySetup& setup, const GaussianRun& run) {
  LoopPlan plan{.phases = {}, .clip = {}, .optimizer = OptimizerKind::sgd, .learning_rate = 1e-6};
  for (const GaussianPhase& phase : run) {
    plan.phases.push_back({.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
                           .grid = NoiseGrid(phase.noise_multiplier),
                           .steps = phase.steps});
  }
  plan.clip.first_bound = setup.clip_bound;
  plan.clip.coordinate = setup.coordinate;
  return plan;
}

// The plan that a fit would make for the run.
LoopPlan planned(const CanarySetup& setup, const GaussianRun& run, const RecordTape& tape,
                 const UniformFunction& prior) {
  PrivacyRequest request;
  request.delta = kDefaultDelta;
  request.phases = run;
  FitSettings settings;
  settings.clip = ClipMode::fixed;
  settings.clip_bounds = {setup.clip_bound};
  const ModelToFit model{.tape = &tape,
                         .prior = &prior,
                         .used_by_records = std::vector<bool>(setup.dimension, true),
                         .precision = Precision::single_precision};
  return plan_private_fit(model, plan_privacy(request), settings).loop();
}

}  // namespace

CanaryLoop::CanaryLoop(CanarySetup setup, const GaussianRun& run)
    : setup_(std::move(setup)),
      tape_(tape_of(setup_)),
      prior_(record_prior(shape_of(setup_), [](Expression theta) { return 0.0 * theta[0]; })),
      outcome_(setup_.outcomes > 0
                   ? std::optional(outcome_columns(tape_, 0, 0, setup_.outcomes - 1))
                   : std::nullopt),
      unit_(unit_of(setup_)),
      plan_(setup_.by_plan ? planned(setup_, run, tape_, prior_) : plain_plan(setup_, run)),
      with_canary_(table_of(setup_.with_canary)),
      neighbour_(table_of(setup_.neighbour)) {}

RecordTable CanaryLoop::table_of(const std::vector<CanaryRecord>& records) const {
  PreparedRecords prepared = unit_ ? PreparedRecords(tape_, Precision::single_precision, *unit_)
                                   : PreparedRecords(tape_, Precision::single_precision, outcome_);
  for (std::size_t record = 0; record < records.size(); ++record) {
    for (CanaryRow row : records[record]) {
      row.reals[0] -= setup_.offset;
      prepared.append(row.reals, std::span(&row.outcome, outcome_ ? 1 : 0));
      if (setup_.units) prepared.assign_last_row(static_cast<std::uint32_t>(record));
    }
  }
  return std::move(prepared).gathered();
}

// A fixed bound is the one that was stated, not the one that the release says it has.
SeenRelease CanaryLoop::seen(const Released& released, bool information) const {
  const bool moves = information || setup_.coordinate.has_value();
  const double bound = moves ? released.origin().clip_bound : setup_.clip_bound;
  const std::span<const double> values = released.values();
  SeenRelease found{.first = values.front() / bound, .last = values.back() / bound};
  if (information) {
    // The canary's v is its gradient's direction and the constant; the release holds all v v'.
    const double constant = kCountShare, gradient = std::sqrt(1.0 - constant * constant);
    const double canary[] = {gradient * gradient, gradient * constant, constant * gradient,
                             constant * constant};
    for (std::size_t j = 0; j < std::size(canary); ++j)
      found.canary += canary[j] * values[j] / bound;
    return found;
  }
  for (std::size_t j = 0; j < setup_.direction.size(); ++j) {
    found.canary += setup_.direction[j] * values[j] / bound;
  }
  return found;
}

// The releases of a fit by measurements: information, then gradients, all by one PrivateStep.
Transcript CanaryLoop::trace_transcript(const RecordTable& table, LoopRandomness randomness) const {
  RecordGradients gradients(tape_, table, setup_.threads, outcome_);
  const Coordinates coordinates = Coordinates::identity(setup_.dimension);
  PrivateStep step(plan_, gradients, coordinates, std::move(randomness));
  const std::vector<double> theta(setup_.dimension, setup_.start);
  Transcript transcript;
  for (const LoopPhase& phase : plan_.phases) {
    step.start(phase);
    for (std::int64_t i = 0; i < phase.steps; ++i) {
      const bool information = transcript.empty();
      const Released released = step.take(0, [&](std::span<const double>) {
        return StepPoint{.theta = theta,
                         .sum = information ? ReleasedSum::information : ReleasedSum::gradients};
      });
      transcript.push_back(seen(released, information));
    }
  }
  return transcript;
}

Transcript CanaryLoop::transcript(bool with_canary, LoopRandomness randomness) const {
  const RecordTable& table = with_canary ? with_canary_ : neighbour_;
  if (setup_.information) return trace_transcript(table, std::move(randomness));
  RecordGradients gradients(tape_, table, setup_.threads, outcome_);
  LoopStart start{Coordinates::identity(setup_.dimension), 1e-3};
  start.location.assign(setup_.dimension, setup_.start);
  Transcript transcript;
  run_private_loop(
      plan_, {&prior_, &gradients, std::vector<bool>(setup_.dimension, true)},
      *make_family(FamilyKind::mean_field, setup_.dimension), start,
      [&](std::int64_t, const Released& released) {
        transcript.push_back(seen(released, false));
        return true;
      },
      std::move(randomness));
  return transcript;
}

}  // namespace dpvi
