#include <dpvi/eval/canary_transcripts.hpp>

#include <optional>
#include <utility>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <dpvi/model/recorded_function.hpp>

namespace dpvi {
namespace {

constexpr double kClipBound = 1.0;
constexpr ModelShape kShape{.parameters = 1, .reals = 1};

// A record's gradient is its only number.
RecordTape canary_tape() {
  return record_function(
      kShape, [](Expression theta, Expression reals, Expression) { return theta[0] * reals[0]; });
}

UniformFunction flat_prior() {
  return record_prior(kShape, [](Expression theta) { return 0.0 * theta[0]; });
}

RecordTable table_of(const RecordTape& tape, std::uint64_t zeros, std::optional<double> canary) {
  PreparedRecords records(tape, Precision::single_precision);
  const double zero = 0.0;
  for (std::uint64_t i = 0; i < zeros; ++i) records.append({&zero, 1}, {});
  if (canary) records.append({&*canary, 1}, {});
  return std::move(records).gathered();
}

}  // namespace

CanaryTranscripts::CanaryTranscripts(const CanaryRun& run, Generators generators)
    : run_(run),
      generators_(std::move(generators)),
      tape_(canary_tape()),
      prior_(flat_prior()),
      with_canary_(table_of(tape_, run.record_count - 1, 2.0 * kClipBound)),
      neighbour_(table_of(tape_, run.record_count - 1,
                          run.adjacency == Adjacency::substitute ? std::optional(-2.0 * kClipBound)
                                                                 : std::nullopt)) {}

CanaryTranscripts::Generators CanaryTranscripts::fresh_generators() {
  return [](bool, std::uint64_t, int) { return SecureGenerator(); };
}

void CanaryTranscripts::operator()(bool with_canary, std::uint64_t run,
                                   std::span<double> transcript) const {
  LoopPlan plan{.phases = {{.sampling_rate = run_.sampling_rate,
                            .grid = run_.grid,
                            .steps = static_cast<std::int64_t>(transcript.size())}},
                .clip = {}};
  plan.clip.first_bound = kClipBound;
  RecordGradients gradients(tape_, with_canary ? with_canary_ : neighbour_, 1);
  run_private_loop(plan, {&prior_, &gradients, {true}}, *make_family(FamilyKind::mean_field, 1),
                   {Coordinates::identity(1), 1.0},
                   [&](std::int64_t done, const Released& released) {
                     transcript[static_cast<std::size_t>(done - 1)] =
                         released.values()[0] / kClipBound;
                     return true;
                   },
                   {generators_(with_canary, run, 0), generators_(with_canary, run, 1)});
}

}  // namespace dpvi
