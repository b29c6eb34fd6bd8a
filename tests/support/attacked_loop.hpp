#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <dpvi/base/thread_ranks.hpp>
#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/plan/private_fit_plan.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/train/rank_worker.hpp>
#include <dpvi/fit/train/step_message.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <dpvi/gradient/outcome_bins.hpp>
#include <dpvi/model/marginal_record.hpp>
#include <dpvi/model/recorded_function.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {

// The public settings of one attacked run. By default every record is sampled.
struct AttackedRun {
  double sampling_rate = 1.0;
  NoiseGrid grid{1.0};
  std::int64_t steps = 1;
  double clip_bound = 1.0;
  std::optional<ClipCoordinate> coordinate = std::nullopt;
  int threads = 1;
  std::uint64_t key = 1;
};

using Gradients = std::vector<std::vector<double>>;  // one per record
using RowGradients = std::vector<Gradients>;         // one per row of each unit
using Integers = std::vector<std::int64_t>;

// Attacks the loop that `fit` runs, through its releases and with fixed keys. A test chooses the
// gradient of every record: the model's log density is the product of the record's row and theta.
// An offset adds to the first entry of every row's gradient, so that a row of zeros has a nonzero
// gradient.
//
// With several outcomes 0, 1, ..., a record has one more entry, its outcome. The log odds of
// outcome k against outcome 0 are k times the product of row and theta, and clipping is
// conditionally unbiased.
class AttackedLoop {
 public:
  explicit AttackedLoop(std::size_t dimension, Precision precision = Precision::single_precision,
                        double offset = 0.0)
      : AttackedLoop(
            {static_cast<std::int32_t>(dimension), static_cast<std::int32_t>(dimension), 0},
            precision, [offset](Expression theta, Expression reals, Expression) {
              const Expression product = dot(theta, reals);
              return offset == 0.0 ? product : product + offset * theta[0];
            }) {
    offset_ = offset;
  }

  static AttackedLoop with_outcomes(std::int32_t outcomes, std::size_t dimension,
                                    Precision precision) {
    const auto size = static_cast<std::int32_t>(dimension);
    AttackedLoop loop({size, size, 1}, precision,
                      [outcomes](Expression theta, Expression reals, Expression integers) {
                        const Expression product = dot(theta, reals);
                        std::vector<NodeId> terms;
                        for (int k = 0; k < outcomes; ++k) terms.push_back((product * k).id);
                        const NodeId all = product.builder->pack(terms);
                        return integers[0] * product - log_sum_exp(product.with(all));
                      });
    loop.outcome_ = outcome_columns(loop.tape_, 0, 0, outcomes - 1);
    return loop;
  }

  // Every record has latent variables z with standard normal laws, which are integrated out. Given
  // z, the log density is the product of row and theta times 1 + (the sum of z). With one or two
  // latent variables this is done by quadrature, with more by Laplace's method.
  static AttackedLoop with_latents(std::int32_t latents, std::size_t dimension,
                                   Precision precision) {
    const auto size = static_cast<std::int32_t>(dimension);
    return AttackedLoop(
        {size, size, 0}, precision,
        [latents, size](Expression theta, Expression reals, Expression) {
          GraphBuilder& builder = *theta.builder;
          const Expression z = theta.with(builder.record_real(size, latents));
          const Expression joint = dot(theta, reals) * (1.0 + sum(z)) - 0.5 * dot(z, z);
          return theta.with(marginal_record(builder, joint.id, {size, latents}, {}));
        });
  }

  // A record is all rows of a unit, up to `most_rows` of them, which the model uses together: a
  // row's term is multiplied by 1 + z + (the first entry of the row before), where z is a latent
  // variable of the unit.
  static AttackedLoop with_joined_rows(std::int32_t most_rows, std::size_t dimension,
                                       Precision precision) {
    const auto size = static_cast<std::int32_t>(dimension);
    AttackedLoop loop(
        {size, size * most_rows, 1}, precision,
        [most_rows, size](Expression theta, Expression reals, Expression integers) {
          GraphBuilder& builder = *theta.builder;
          const Expression z = theta.with(builder.record_real(size * most_rows, 1));
          Expression joint = -0.5 * (z * z);
          for (std::int32_t row = 0; row < most_rows; ++row) {
            const Expression own = theta.with(builder.slice(reals.id, row * size, size));
            Expression factor = 1.0 + z;
            if (row > 0) factor = factor + reals[(row - 1) * size];
            const Expression term = dot(theta, own) * factor;
            const NodeId there = builder.binary(Op::le, builder.constant(row + 1.0), integers.id);
            joint = joint + theta.with(builder.select(there, term.id, builder.constant(0.0)));
          }
          return theta.with(marginal_record(builder, joint.id, {size * most_rows, 1}, {}));
        });
    loop.unit_ =
        UnitWidth{dimension, 0, static_cast<std::size_t>(most_rows), {{false, 0, dimension}}};
    return loop;
  }

  RecordTable table(const Gradients& gradients) const {
    PreparedRecords records(tape_, precision_, outcome_);
    for (const auto& gradient : gradients) append(records, gradient);
    return std::move(records).gathered();
  }

  // A record's gradient is the sum over its rows, unless the model uses them together.
  RecordTable units(const RowGradients& units) const {
    PreparedRecords records =
        unit_ ? PreparedRecords(tape_, precision_, *unit_) : PreparedRecords(tape_, precision_);
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      for (const auto& row : units[unit]) {
        append(records, row);
        records.assign_last_row(static_cast<std::uint32_t>(unit));
      }
    }
    return std::move(records).gathered();
  }

  // The same, with the rows in another order of the table: pairs of a unit and the number of its
  // row.
  RecordTable rows_in_order(const RowGradients& units,
                            const std::vector<std::pair<std::size_t, std::size_t>>& order) const {
    PreparedRecords records(tape_, precision_, unit_.value());
    std::vector<std::size_t> seen;
    for (const auto& [unit, row] : order) {
      const auto at = std::find(seen.begin(), seen.end(), unit);
      const auto number = static_cast<std::uint32_t>(at - seen.begin());
      if (at == seen.end()) seen.push_back(unit);
      append(records, units[unit][row]);
      records.assign_last_row(number);
    }
    return std::move(records).gathered();
  }

  // The model for a whole fit; it refers to this object.
  ModelToFit model() const {
    return {.tape = &tape_,
            .prior = &prior_,
            .used_by_records = std::vector<bool>(dimension_, true),
            .precision = precision_,
            .unit = unit_};
  }

  static LoopPlan plan_of(const AttackedRun& run) {
    LoopPlan plan{.phases = {{.sampling_rate = SamplingRate::from_double(run.sampling_rate),
                              .grid = run.grid,
                              .steps = run.steps}},
                  .clip = {},
                  .optimizer = OptimizerKind::sgd,
                  .learning_rate = kLearningRate,
                  .averaged_share = 1e-12};
    plan.clip.first_bound = run.clip_bound;
    plan.clip.coordinate = run.coordinate;
    return plan;
  }

  LoopOutcome run(const RecordTable& table, const AttackedRun& run,
                  const StepWatcher& watcher) const {
    RecordGradients gradients(tape_, table, run.threads, outcome_);
    return run_private_loop(plan_of(run),
                            {&prior_, &gradients, std::vector<bool>(dimension_, true)},
                            *make_family(FamilyKind::mean_field, dimension_),
                            {Coordinates::identity(dimension_), kStartScale}, watcher, keys(run));
  }

  // The release of each step, in units of the stated clip bound, or of the step's own bound if that
  // is adapted.
  std::vector<std::vector<double>> releases(const RecordTable& table,
                                            const AttackedRun& run) const {
    std::vector<std::vector<double>> all;
    this->run(table, run, [&](std::int64_t, const Released& released) {
      std::vector<double>& values = all.emplace_back();
      const double bound = run.coordinate ? released.origin().clip_bound : run.clip_bound;
      for (const double value : released.values()) values.push_back(value / bound);
      return true;
    });
    return all;
  }

  // The same from a job whose ranks are threads, each with its own table. Throws what the root
  // throws. `link_of` replaces the link of a rank.
  using LinkOfRank = std::function<RankLink&(RankLink& link)>;
  static RankLink& own_link(RankLink& link) { return link; }
  std::vector<std::vector<double>> releases_on_ranks(const std::vector<RecordTable>& tables,
                                                     RankTable kind, const AttackedRun& run,
                                                     const LinkOfRank& link_of = own_link) const {
    std::vector<std::vector<double>> all;
    run_on_ranks(tables, kind, run, link_of,
                 [&](RecordGradients& gradients, LoopRandomness randomness) {
                   run_private_loop(
                       plan_of(run), {&prior_, &gradients, std::vector<bool>(dimension_, true)},
                       *make_family(FamilyKind::mean_field, dimension_),
                       {Coordinates::identity(dimension_), kStartScale},
                       [&](std::int64_t, const Released& released) {
                         all.emplace_back(released.values().begin(), released.values().end());
                         return true;
                       },
                       std::move(randomness));
                 });
    return all;
  }

  // The same for the integers of a release of counts, less their noise.
  Integers counted_sum_on_ranks(const std::vector<Gradients>& parts,
                                const std::shared_ptr<const OutcomeBins>& bins,
                                const AttackedRun& run) const {
    std::vector<RecordTable> tables;
    for (const Gradients& part : parts) tables.push_back(counted_table(part, 0, bins));
    Integers sum;
    run_on_ranks(tables, RankTable::part, run, own_link,
                 [&](RecordGradients& gradients, LoopRandomness randomness) {
                   sum = sum_at_zero(gradients, run, counting(*bins), std::move(randomness));
                 });
    return sum;
  }

  // The integer sum released in the first step, minus its noise, which is known from the key.
  Integers first_sum(const RecordTable& table, const AttackedRun& run) const {
    return without_noise(releases(table, run).at(0), run);
  }
  Integers first_sum(const Gradients& gradients, const AttackedRun& run) const {
    return first_sum(table(gradients), run);
  }

  // The same for a release of information by the step that the loop takes, at theta = 0.
  Integers information_sum(const RecordTable& table, const AttackedRun& run) const {
    return sum_at_zero(table, run, {.theta = {}, .sum = ReleasedSum::information});
  }

  // The same for a release of counts of rows.
  Integers counted_sum(const Gradients& rows, const std::shared_ptr<const OutcomeBins>& bins,
                       const AttackedRun& run) const {
    return counted_sum_with_unusable(rows, 0, bins, run);
  }
  // With so many unusable rows before each of them and at the end.
  Integers counted_sum_with_unusable(const Gradients& rows, int unusable,
                                     const std::shared_ptr<const OutcomeBins>& bins,
                                     const AttackedRun& run) const {
    return sum_at_zero(counted_table(rows, unusable, bins), run, counting(*bins));
  }

  static constexpr double kLearningRate = 1e-6;
  static constexpr double kStartScale = 1e-3;

  static LoopRandomness keys(const AttackedRun& run) {
    return {FixedKeyForTests::generator(2 * run.key), FixedKeyForTests::generator(2 * run.key + 1)};
  }

  // The integers of the first release, in units of its bound, less its noise.
  static Integers without_noise(const std::vector<double>& released, const AttackedRun& run) {
    Integers sum;
    for (const double value : released) {
      sum.push_back(std::llround(value * static_cast<double>(run.grid.integer_bound())));
    }
    Integers noise(sum.size(), 0);
    const SecureGenerator generator = FixedKeyForTests::generator(2 * run.key + 1);
    SecureStream stream = generator.stream({.label = StreamLabel::noise, .step = 0});
    add_rounded_gaussian(stream, noise);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] -= noise[j];
    return sum;
  }

 private:
  RecordTable counted_table(const Gradients& rows, int unusable,
                            const std::shared_ptr<const OutcomeBins>& bins) const {
    PreparedRecords records(tape_, precision_, bins);
    for (std::size_t i = 0; i <= rows.size(); ++i) {
      for (int k = 0; k < unusable; ++k) records.append_unusable();
      if (i < rows.size()) records.append(rows[i], {});
    }
    return std::move(records).gathered();
  }

  static Coordinates half_units(std::size_t size) {
    std::vector<double> factor(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) factor[i * size + i] = 0.5;
    return {std::vector<double>(size, 0.0), std::move(factor)};
  }

  static StepPoint counting(const OutcomeBins& bins) {
    return {.theta = {}, .clip_bound = 1.0, .sum = ReleasedSum::counts, .bins = &bins};
  }

  // The integer sum that the production step releases at theta = 0, less its noise.
  Integers sum_at_zero(const RecordTable& table, const AttackedRun& run, StepPoint point) const {
    RecordGradients gradients(tape_, table, run.threads, outcome_);
    return sum_at_zero(gradients, run, point, keys(run));
  }

  Integers sum_at_zero(RecordGradients& gradients, const AttackedRun& run, StepPoint point,
                       LoopRandomness randomness) const {
    const LoopPlan plan = plan_of(run);
    // Counts do not use coordinates, which may then have another size than theta.
    const Coordinates coordinates =
        point.bins != nullptr ? half_units(dimension_ + 2) : Coordinates::identity(dimension_);
    PrivateStep step(plan, gradients, coordinates, std::move(randomness));
    step.start(plan.phases[0]);
    const std::vector<double> theta(dimension_, 0.0);
    point.theta = theta;
    const Released released = step.take(0, [&](std::span<const double>) { return point; });
    std::vector<double> values;
    for (const double value : released.values()) {
      values.push_back(value / released.origin().clip_bound);
    }
    return without_noise(values, run);
  }

  // Runs `root` on the first rank of a job while the others serve it.
  void run_on_ranks(const std::vector<RecordTable>& tables, RankTable kind, const AttackedRun& run,
                    const LinkOfRank& link_of,
                    const std::function<void(RecordGradients& gradients,
                                             LoopRandomness randomness)>& root) const {
    ThreadRanks ranks(static_cast<int>(tables.size()));
    std::vector<std::thread> others;
    for (std::size_t rank = 1; rank < tables.size(); ++rank) {
      others.emplace_back([&, rank] {
        serve(link_of(ranks.link(static_cast<int>(rank))), tables[rank], kind, run);
      });
    }
    std::exception_ptr failure;
    RankLink& link = link_of(ranks.link(0));
    try {
      const RankShare share(link, kind, tables[0].record_count());
      RecordGradients gradients(tape_, tables[0], run.threads, outcome_);
      root(gradients, keys_on_ranks(link, share, run));
      send_end(link, JobEnd::done);
    } catch (...) {
      failure = std::current_exception();
      ranks.link(0).abandon();
    }
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
  }

  AttackedLoop(const ModelShape& shape, Precision precision, const RecordLogDensity& log_density)
      : dimension_(static_cast<std::size_t>(shape.parameters)),
        precision_(precision),
        shape_(shape),
        tape_(record_function(shape_, log_density)),
        prior_(record_prior(shape_, [](Expression theta) { return 0.0 * theta[0]; })) {}

  // What another rank than the root does. Its failure is that of the root, too.
  void serve(RankLink& link, const RecordTable& table, RankTable kind,
             const AttackedRun& run) const {
    try {
      const RankShare share(link, kind, table.record_count());
      RecordGradients gradients(tape_, table, run.threads, outcome_);
      const BatchGenerator generator(link);
      serve_steps(share, generator, gradients);
    } catch (...) {
      link.abandon();
    }
  }

  static LoopRandomness keys_on_ranks(RankLink& link, const RankShare& share,
                                      const AttackedRun& run) {
    const auto batches = [&] {
      const NextKey next(FixedKeyForTests::key_of(2 * run.key));
      return BatchGenerator(link);
    };
    return {
        .draws = batches(), .noise = FixedKeyForTests::generator(2 * run.key + 1), .share = share};
  }

  void append(PreparedRecords& records, std::vector<double> gradient) const {
    std::vector<std::int32_t> outcome;
    if (outcome_) {
      outcome.push_back(static_cast<std::int32_t>(gradient.back()));
      gradient.pop_back();
    }
    gradient[0] -= offset_;
    records.append(gradient, outcome);
  }

  std::size_t dimension_;
  Precision precision_;
  double offset_ = 0.0;
  ModelShape shape_;
  RecordTape tape_;
  std::optional<OutcomeColumns> outcome_;
  std::optional<UnitWidth> unit_;
  UniformFunction prior_;
};

}  // namespace dpvi
