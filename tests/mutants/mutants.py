#!/usr/bin/env python3
"""Mutants of the production code: each makes one mistake in a copy of a library source file.

    mutants.py list                 names and files, one mutant per line
    mutants.py write NAME ROOT OUT  writes the mutated source

AUDIT says which attack of `dpvi audit` refutes the claims of a mutant, UNSEEN why none does.

A mutant's program consists of the attack tests, linked with the mutated object in place of the
library's, so the library contains no trace of mutants. `old` must occur exactly once in the source;
if the source changes, `old` must change with it.
"""
import pathlib
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    name: str
    mistake: str  # as worded in docs/privacy.md
    killer: str  # the test that must detect it
    file: str
    old: str
    new: str
    include: str = ""  # an additional header that the mutation needs


STEP = "dpvi/fit/train/private_step.cpp"
MECHANISM = "dpvi/privacy/gaussian_mechanism.cpp"
COLLECTIVE = "dpvi/privacy/collective.cpp"
ROW_PATH = "dpvi/gradient/row_path.cpp"
UNIT_PATH = "dpvi/gradient/unit_path.cpp"
SWEEP = "dpvi/gradient/sweep_kernels.cpp"
LANE_BOUND = "dpvi/gradient/lane_bound.cpp"
CENTRE = "dpvi/gradient/unbiased_centre.cpp"
SHARES = "dpvi/gradient/bound_shares.cpp"
CLIPPER = "dpvi/gradient/grid_clipper.cpp"
TARGET = "dpvi/gradient/clip_target.cpp"
COUNTS = "dpvi/gradient/count_path.cpp"
FILTER = "dpvi/privacy/mu_filter.cpp"
JOINED = "dpvi/fit/prepare/joined_rows.cpp"
TRACE = "dpvi/fit/train/trace_loop.cpp"
SIMULATED = "dpvi/gradient/simulated_path.cpp"
KEYED = "dpvi/fit/mock/keyed_outcomes.cpp"

SHARE = "dpvi/fit/train/rank_share.cpp"
WORKER = "dpvi/fit/train/rank_worker.cpp"
RANK_SUM = "dpvi/base/checked_rank_sum.cpp"

SAMPLER = "sampler_.emplace(phase.sampling_rate, share_.total());"
SAMPLE = "const std::vector<std::uint64_t> batch = share_.batch(*sampler_, generator_, step);"
BATCH = "std::vector<std::uint64_t> batch = share_.batch(*sampler_, generator_, step);"
RELEASE = "const Released released = mechanism_.release(std::move(sum));"
NOISE = "add_rounded_gaussian(stream, noisy.sums);"
PARTS = "for (PartialSum& part : std::span(taken).subspan(1)) add(part.storage(), total);"


def scaled_noise(factor):
    return f"""std::vector<std::int64_t> noise(noisy.sums.size(), 0);
  add_rounded_gaussian(stream, noise);
  for (std::size_t j = 0; j < noise.size(); ++j) {{
    noisy.sums[j] += std::llround({factor} * static_cast<double>(noise[j]));
  }}"""


MUTANTS = [
    # Sampling.
    Mutant("rate_times_1_05", "the sampling rate is 5 % too large",
           "SampledBatches.RecordsTakePartAtTheStatedRate", STEP, SAMPLER,
           "sampler_.emplace(SamplingRate::from_double(std::min(1.0, "
           "1.05 * phase.sampling_rate.value())), share_.total());", "<algorithm>"),
    Mutant("rate_plus_one_record", "the sampling rate is q + 1/N",
           "SampledBatches.RecordsTakePartAtTheStatedRate", STEP, SAMPLER,
           "sampler_.emplace(SamplingRate::from_double(std::min(1.0, phase.sampling_rate.value() + "
           "1.0 / static_cast<double>(share_.total() + 1))), share_.total());",
           "<algorithm>"),
    Mutant("last_record_never_sampled", "the last record never takes part",
           "SampledBatches.RecordsTakePartAtTheStatedRate", STEP, SAMPLER,
           "sampler_.emplace(phase.sampling_rate, "
           "share_.total() - (share_.total() > 0 ? 1 : 0));"),
    Mutant("sampling_stream_reused", "two steps share their sampling stream",
           "SampledBatches.StepsAreIndependentOfEachOther", STEP, SAMPLE,
           SAMPLE.replace("step)", "step / 2)")),
    Mutant("batches_repeat", "batches repeat every 100 steps",
           "SampledBatches.StepsAreIndependentOfEachOther", STEP, SAMPLE,
           SAMPLE.replace("step)", "step % 100)")),
    Mutant("empty_batch_filled", "an empty batch gets a record",
           "SmallTables.BatchesAreBinomialAndMayBeEmpty", STEP, SAMPLE,
           BATCH + "\n  if (batch.empty() && records_.record_count() > 0) batch.push_back(0);"),
    Mutant("batch_truncated", "a batch has at most four records",
           "SampledBatches.RecordsTakePartAtTheStatedRate", STEP, SAMPLE,
           BATCH + "\n  if (batch.size() > 4) batch.resize(4);"),
    Mutant("record_taken_twice", "the first record of a batch counts twice",
           "RecordInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", STEP, SAMPLE,
           BATCH + "\n  if (!batch.empty()) batch.push_back(batch[0]);"),
    # Noise.
    Mutant("noise_times_0_95", "5 % less noise",
           "ReleasedNoise.HasTheStatedSizeInEveryStepAndCoordinate", MECHANISM, NOISE, scaled_noise(0.95), "<cmath>"),
    Mutant("noise_times_0_9", "10 % less noise",
           "ReleasedNoise.HasTheStatedSizeInEveryStepAndCoordinate", MECHANISM, NOISE, scaled_noise(0.9), "<cmath>"),
    Mutant("noise_twice", "noise is added twice",
           "ReleasedNoise.HasTheStatedSizeInEveryStepAndCoordinate", MECHANISM, NOISE,
           NOISE + "\n  add_rounded_gaussian(stream, noisy.sums);"),
    Mutant("noise_per_thread", "noise is added to every thread's partial sum, too",
           "ReducedSums.CountEveryPartOnceAndTheNoiseOnce", COLLECTIVE,
           "  GridSum total = ",
           "  const SecureGenerator generator;\n"
           "  SecureStream stream = generator.stream({.label = StreamLabel::noise, .step = 0});\n"
           "  for (PartialSum& part : taken) add_rounded_gaussian(stream, part.storage().sums);\n"
           "  GridSum total = ", "<dpvi/random/rounded_gaussian.hpp>"),
    Mutant("noise_stream_reused", "every step has the same noise",
           "ReleasedNoise.IsIndependentBetweenSteps", MECHANISM,
           "{.label = StreamLabel::noise, .step = step}", "{.label = StreamLabel::noise, .step = 0}"),
    Mutant("noise_not_on_last_coordinate", "the last coordinate gets no noise",
           "ReleasedNoise.CoversTheClipCoordinate", MECHANISM, NOISE,
           "add_rounded_gaussian(stream, std::span(noisy.sums).first(noisy.sums.size() - 1));",
           "<span>"),
    Mutant("empty_batch_without_noise", "an empty batch is released as it is",
           "ReleasedNoise.HasTheStatedSizeInEveryStepAndCoordinate", STEP, RELEASE,
           "const Released released = batch.empty() ? UnprotectedMechanism().release(std::move(sum))"
           " : mechanism_.release(std::move(sum));", "<dpvi/privacy/unprotected_mechanism.hpp>"),
    # Sums.
    Mutant("mean_by_batch", "divided by the realised batch instead of the expected one",
           "SampledBatches.RecordsMoveTheReleaseByOneBound", STEP,
           ".clip_bound = point.clip_bound.value_or(bound_.value()),",
           ".clip_bound = bound_.value() * sampler_->rate().value() * "
           "static_cast<double>(records_.record_count() + 1) / "
           "static_cast<double>(batch.size() + 1),"),
    Mutant("floating_point_sum", "partial sums are added in floating point",
           "RecordInfluence.DoesNotDependOnOrderOrThreads", COLLECTIVE, "into.sums[j] += from.sums[j];",
           "into.sums[j] = static_cast<std::int64_t>(static_cast<float>(into.sums[j]) + "
           "static_cast<float>(from.sums[j]));"),
    Mutant("part_added_twice", "one thread's partial sum is added twice",
           "ReducedSums.CountEveryPartOnceAndTheNoiseOnce", COLLECTIVE, PARTS,
           PARTS + "\n  if (taken.size() > 1) add(taken.back().storage(), total);"),
    Mutant("part_dropped", "one thread's partial sum is dropped",
           "ReducedSums.CountEveryPartOnceAndTheNoiseOnce", COLLECTIVE, PARTS,
           PARTS.replace("subspan(1)", "subspan(1, taken.size() > 1 ? taken.size() - 2 : 0)")),
    Mutant("clip_after_sum", "the sum of a block is clipped, not each record",
           "RecordInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", ROW_PATH,
           "  this->clipper_.add(",
           "  for (std::size_t block = 0; block < blocks; ++block) {\n"
           "    const std::span<T> rows = evaluated.rows_of(block);\n"
           "    for (std::size_t i = 0; i < rows.size(); i += RecordTable::kLanes) {\n"
           "      T sum{0};\n"
           "      for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {\n"
           "        if ((lanes_[block] >> lane & 1u) != 0) sum += rows[i + lane];\n"
           "      }\n"
           "      rows[i] = sum;\n"
           "    }\n"
           "    lanes_[block] = lanes_[block] == 0 ? 0u : 1u;\n"
           "  }\n"
           "  this->clipper_.add("),
    # The integer check.
    Mutant("sweep_ignores_clip_coordinate", "the sweep's check leaves the clip coordinate out",
           "RecordInfluence.IsCheckedAtExactlyTheBoundWithTheClipCoordinate", SWEEP, "rule.largest_square = all - (target.marks ? square_of(target.marks->unshortened) "
           ": 0.0);\n  rule.largest_square_shortened = all - (target.marks ? "
           "square_of(target.marks->shortened) : 0.0);",
           "rule.largest_square = all;\n  rule.largest_square_shortened = all;"),
    Mutant("sweep_check_off_by_one", "the sweep's check allows D^2 + 1",
           "RecordInfluence.IsCheckedAtExactlyTheBoundWithTheClipCoordinate", SWEEP,
           "const double all = square_of(target.integer_bound);",
           "const double all = square_of(target.integer_bound) + 1.0;"),
    Mutant("sweep_check_in_32_bits", "the sweep's limit wraps around 32 bits",
           "RecordInfluence.OfAGradientThatRoundingLengthensStaysWithinTheBound", SWEEP,
           "const double all = square_of(target.integer_bound);",
           "const double all = square_of(target.integer_bound) >= 0x1p32 ? 0x1p62 "
           ": square_of(target.integer_bound);"),
    Mutant("failed_records_stay", "a record that fails the sweep's check stays in the sum",
           "RecordInfluence.IsCheckedAtExactlyTheBoundWithTheClipCoordinate", SWEEP,
           "const std::uint32_t above = lanes[b].added & ~lanes[b].within;",
           "const std::uint32_t above = 0;"),
    Mutant("block_ignores_clip_coordinate", "the block's check leaves the clip coordinate out",
           "RecordInfluence.IsCheckedAtExactlyTheBoundWithTheClipCoordinate", LANE_BOUND, "if (target_.marks) left[k] -= square_of(marks_[k]);", ""),
    Mutant("no_rescue", "a record that rounding lifts above the bound is dropped",
           "RecordInfluence.OfAFiniteRecordIsNotZero", LANE_BOUND,
           "/ norm * (1.0 - 0x1p-40);", "/ norm * 0.0;"),
    Mutant("mark_on_zeroed", "a record that counts as zero keeps its clip coordinate",
           "RecordInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", LANE_BOUND,
           "marks_[k] = ((shortened[k] & if_shortened) | (~shortened[k] & if_not)) & keep[k];",
           "marks_[k] = (shortened[k] & if_shortened) | (~shortened[k] & if_not) | (keep[k] & 0);"),
    # Conditionally unbiased clipping.
    Mutant("solver_stops_early", "the solver stops when the first record of a block has converged",
           "OutcomeInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", CENTRE,
           "    move_weights();\n",
           "    const double before = weights_[0].lane[0];\n"
           "    move_weights();\n"
           "    if (std::abs(weights_[0].lane[0] - before) < 1e-3) break;\n"),
    Mutant("share_of_first_record", "all records of a block get the first one's share of the bound",
           "OutcomeInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", SHARES,
           "other_log_density[lane] - own_log_density[lane]",
           "other_log_density[0] - own_log_density[0]"),
    # Simulated outcomes.
    Mutant("outcomes_by_position", "random numbers of simulated outcomes follow a record's position",
           "SimulatedInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", KEYED,
           "streams_[lane].start({.step = step_, .place = place}, bytes_);",
           "static std::atomic<std::uint64_t> taken{0};\n"
           "      streams_[lane].start({.step = step_, .place = place + taken++}, {});", "<atomic>"),
    Mutant("outcomes_of_first_record", "all records of a block share random numbers",
           "SimulatedInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", KEYED,
           "block_->draw(rows_, std::exchange(again_, true), uniforms_);",
           "block_->draw(rows_, std::exchange(again_, true), "
           "std::vector<UniformSource>(kLanes, uniforms_[0]));"),
    Mutant("outcomes_repeat", "every step simulates the same outcomes",
           "SimulatedInfluence.HasFreshOutcomesInEveryStep", KEYED,
           "{.step = step_, .place = place}", "{.step = 0, .place = place}"),
    Mutant("own_outcome_left_out", "the centre is that of the simulated outcomes alone",
           "SimulatedInfluence.IsZeroOnAverageUnderTheProgram", SIMULATED,
           "  const BoundShares shares = centre_.clip(",
           "  for (double& weight : log_weights_[0].lane) weight = kImpossible;\n"
           "  const BoundShares shares = centre_.clip("),
    Mutant("simulated_solver_stops_early",
           "the solver of simulated outcomes stops when the first record has converged",
           "SimulatedInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", CENTRE,
           "    move_weights();\n",
           "    const double before = weights_[0].lane[0];\n"
           "    move_weights();\n"
           "    if (outcomes_ > kFew && std::abs(weights_[0].lane[0] - before) < 1e-2) break;\n"),
    # Records of several rows.
    Mutant("rows_clipped_one_by_one", "the rows of a unit are clipped one by one",
           "UnitInfluence.IsAUnitsOwnVectorOfNormAtMostTheBound", UNIT_PATH,
           "    counting_ |= lanes;\n",
           "    sums_.clip(lanes, this->clipper_);\n"
           "    std::ranges::fill(sums_.entries(), T{0});\n"),
    Mutant("missing_rows_count", "a unit with fewer rows than its neighbours counts rows it has not",
           "UnitInfluence.IsAUnitsOwnVectorOfNormAtMostTheBound", UNIT_PATH,
           "evaluated.counting_lanes(0) & lanes_of_finite(", "lanes_of_finite("),
    Mutant("units_weighted_by_table", "a unit counts by its share of all rows",
           "UnitInfluence.IsAUnitsOwnVectorOfNormAtMostTheBound", UNIT_PATH,
           "  return 1;\n",
           "  for (T& entry : sums_.entries()) {\n"
           "    entry /= static_cast<T>(evaluated.table().row_count());\n"
           "  }\n"
           "  return 1;\n"),
    Mutant("joined_count_left", "a unit whose rows are used together counts as many as the unit before",
           "JoinedRowsInfluence.IsAUnitsOwnVectorOfNormAtMostTheBound", JOINED,
           "integers_.back() = static_cast<std::int32_t>(found);",
           "integers_.back() = std::max(integers_.back(), static_cast<std::int32_t>(found));",
           "<algorithm>"),
    Mutant("joined_with_next_unit", "a unit whose rows are used together takes a row of the next unit",
           "JoinedRowsInfluence.IsAUnitsOwnVectorOfNormAtMostTheBound", JOINED,
           "const RecordTable::Rows rows = table_.rows_of(unit);",
           "RecordTable::Rows rows = table_.rows_of(unit);\n"
           "    if (unit + 1 < table_.record_count()) ++rows.end;"),
    # Information.
    Mutant("information_bound_not_the_root", "a record's vector in the information has twice the bound",
           "InformationInfluence.IsARecordsOwnMatrixOfNormAtMostTheBound", TARGET,
           ".integer_bound = whole_root(settings.grid.integer_bound())",
           ".integer_bound = 2 * whole_root(settings.grid.integer_bound())"),
    Mutant("information_not_positive", "an entry of the information has the wrong sign",
           "InformationInfluence.IsTheProductOfAVectorWithItself", CLIPPER,
           "sums[j * width + k] += sum;", "sums[j * width + k] += j < k ? -sum : sum;"),
    Mutant("information_mixes_records", "the information multiplies gradients of different records",
           "InformationInfluence.IsARecordsOwnMatrixOfNormAtMostTheBound", CLIPPER,
           "sum += std::int64_t{left[lane]} * right[lane];",
           "sum += std::int64_t{left[lane]} * right[(lane + 1) % kLanes];"),
    Mutant("information_off_diagonal_twice", "entries off the diagonal count twice",
           "InformationInfluence.IsTheProductOfAVectorWithItself", CLIPPER,
           "sums[j * width + k] += sum;", "sums[j * width + k] += j == k ? sum : 2 * sum;"),
    # The release of counts.
    Mutant("counts_of_twice_the_bound", "a record's vector in the counts has twice the bound",
           "CountInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", TARGET,
           "if (settings.sum == ReleasedSum::counts) return target;",
           "if (settings.sum == ReleasedSum::counts) target.integer_bound *= 2;"),
    Mutant("counts_of_first_record", "all records of a block are counted in the first one's bins",
           "CountInfluence.IsARecordsOwnVectorOfNormAtMostTheBound", COUNTS,
           "const auto bin = static_cast<std::size_t>(block.bins[h * RecordTable::kLanes + lane]);",
           "const auto bin = static_cast<std::size_t>(block.bins[h * RecordTable::kLanes]);"),
    Mutant("counts_of_unusable_records", "records that are not usable are counted",
           "CountInfluence.OfAnUnusableRecordIsZero", COUNTS,
           "if ((block.lanes >> lane & 1u) == 0 || !has_all_bins(block, lane)) continue;",
           "if (!has_all_bins(block, lane)) continue;"),
    # Fits by measurements.
    Mutant("trace_one_release_more", "a fit by measurements makes one release more in each part",
           "WholeTrace.MakesTheReleasesOfItsPlan", TRACE,
           "for (std::int64_t i = 0; i < phase.steps; ++i) {",
           "for (std::int64_t i = 0; i <= phase.steps; ++i) {"),
    Mutant("trace_one_release_less", "a fit by measurements leaves out its last release",
           "WholeTrace.MakesTheReleasesOfItsPlan", TRACE,
           "for (std::int64_t i = 0; i < phase.steps; ++i) {",
           "for (std::int64_t i = phase.steps > 1 ? 1 : 0; i < phase.steps; ++i) {"),
    Mutant("trace_peeks_at_records", "the measured posterior moves with the number of real records",
           "WholeTrace.TheSiteFollowsFromTheReleasesAlone", TRACE,
           "return run.outcome(completed);",
           "TraceOutcome outcome = run.outcome(completed);\n"
           "  outcome.site.components[0].mean[0] +=\n"
           "      1e-9 * static_cast<double>(gradients.record_count());\n"
           "  return outcome;"),
    Mutant("filter_refunds", "the budget gives half of a release back",
           "MuFilter.NoReleaseExceedsTheTotalOfThePlan", FILTER,
           "spent_ += cost(grid);", "spent_ += cost(grid) / 2;"),
    Mutant("filter_wraps", "the budget counts in 32 bits",
           "MuFilter.NoReleaseExceedsTheTotalOfThePlan", FILTER,
           "return bound * bound;", "return static_cast<std::uint32_t>(bound * bound);"),
    Mutant("filter_after_the_release", "the budget is checked only once it is exceeded",
           "MuFilter.NoReleaseExceedsTheTotalOfThePlan", FILTER,
           "if (cost(grid) > allowed_ - spent_) refuse",
           "if (spent_ > allowed_) refuse"),
    # Ranks.
    Mutant("noise_on_every_rank", "every rank adds noise to its part",
           "Ranks.ReleaseTheBitsOfOneProcess", COLLECTIVE,
           "  GridSum own = added(std::move(parts));\n",
           "  GridSum own = added(std::move(parts));\n"
           "  const SecureGenerator generator;\n"
           "  SecureStream stream = generator.stream({.label = StreamLabel::noise, .step = 0});\n"
           "  add_rounded_gaussian(stream, own.sums);\n", "<dpvi/random/rounded_gaussian.hpp>"),
    Mutant("rank_left_out", "the records of one rank are left out",
           "Ranks.ReleaseTheBitsOfOneProcess", WORKER, "step->theta, batch,",
           "step->theta, {},"),
    Mutant("ranks_overlap", "a record at the end of a range counts on two ranks",
           "Ranks.ReleaseTheBitsOfOneProcess", SHARE, "first_ = total_ * rank / size;",
           "first_ = total_ * rank / size - (rank > 0 ? 1 : 0);"),
    Mutant("ranks_number_their_own", "every rank numbers its records from 0",
           "Ranks.ReleaseTheBitsOfOneProcess", SHARE, "before_ = first_ =",
           "before_ = first_ = 0 *"),
    Mutant("ranks_sample_their_own_table", "a rank samples as if its table were all",
           "Ranks.DrawTheSameBatchWhereverTheTableIsDivided", WORKER,
           "const PoissonSampler sampler(step->rate, share.total());",
           "const PoissonSampler sampler(step->rate, records.record_count());"),
    Mutant("lost_rank_unnoticed", "a rank's vector may be lost or count twice",
           "Ranks.EndIfALinkMakesAMistake", RANK_SUM,
           "if (!all_once || message[size] % kPrime != check_number(sums, number_)) refuse();",
           "if (!all_once && message[size] % kPrime != check_number(sums, number_)) refuse();"),
    # The loop.
    Mutant("one_step_more", "a phase takes one step more than planned",
           "Iterates.AreMadeOfReleasesWithTheStatedOrigin", "dpvi/fit/train/training_loop.cpp",
           "i < phase.steps && completed", "i <= phase.steps && completed"),
    Mutant("less_noise_than_planned", "a fit runs with 5 % less noise than its plan says",
           "WholeFit.RunsWhatItsPlanSays", "dpvi/fit/plan/fit_settings.cpp",
           ".grid = NoiseGrid(phase.noise_multiplier)",
           ".grid = NoiseGrid(0.95 * phase.noise_multiplier)"),
    Mutant("higher_rate_than_planned", "a fit runs at a 5 % higher rate than its plan says",
           "WholeFit.RunsWhatItsPlanSays", "dpvi/fit/plan/fit_settings.cpp",
           ".sampling_rate = SamplingRate::from_double(phase.sampling_rate)",
           ".sampling_rate = SamplingRate::from_double(1.05 * phase.sampling_rate)"),
]

NO_COST = "no: costs no privacy"
COUNTS_UNSEEN = "no: the audit has no release of counts"
SECRET = "no: costs no privacy while the key of the run is secret"
SIMULATED_UNSEEN = "no: the audit has no program whose outcomes are simulated"
TOO_SMALL = "no: moves a release by less than a millionth of the bound"
NO_RUN = "no run ends: the releases are not those of the plan"
NO_TRACE = "no: it attacks releases, and this is after them"
ONE_PROCESS = "no: the audit runs one process"
NO_OVERSPENDING = "no: it runs plans, and none of them overspends"

# The attack of `dpvi audit` that refutes a mutant's claims.
AUDIT = {
    "rate_times_1_05": "one sampled step",
    "rate_plus_one_record": "one sampled step",
    "sampling_stream_reused": "200 sampled steps",
    "batches_repeat": "200 sampled steps",
    "empty_batch_filled": "one sampled step",
    "batch_truncated": "among opposite records",
    "record_taken_twice": "one step, all records",
    "noise_times_0_95": "one step, all records",
    "noise_times_0_9": "one step, all records",
    "noise_stream_reused": "four sampled steps",
    "noise_not_on_last_coordinate": "one step, all records",
    "mean_by_batch": "one sampled step",
    "clip_after_sum": "among opposite records",
    "failed_records_stay": "rounded above the bound",
    "share_of_first_record": "law of two outcomes",
    "rows_clipped_one_by_one": "unit of four rows",
    "missing_rows_count": "unit of four rows",
    "units_weighted_by_table": "unit of four rows",
    "joined_count_left": "rows used together",
    "joined_with_next_unit": "rows used together",
    "information_bound_not_the_root": "information and gradients",
    "information_mixes_records": "information and gradients",
    "information_off_diagonal_twice": "information and gradients",
    "one_step_more": "one step, all records",
    "less_noise_than_planned": "planned fit, rate .9",
    "higher_rate_than_planned": "planned fit, rate .9",
}

# Why the outputs of the others show no violation.
UNSEEN = {
    "last_record_never_sampled": NO_COST,
    "noise_twice": NO_COST,
    "noise_per_thread": NO_COST,
    "empty_batch_without_noise": "no run ends: the log refuses a release without noise",
    "floating_point_sum": TOO_SMALL,
    "part_added_twice": "no: threads' timing decides whether the canary is in that part",
    "part_dropped": NO_COST,
    "sweep_ignores_clip_coordinate": TOO_SMALL,
    "sweep_check_off_by_one": TOO_SMALL,
    "sweep_check_in_32_bits": TOO_SMALL,
    "block_ignores_clip_coordinate": TOO_SMALL,
    "no_rescue": NO_COST,
    "mark_on_zeroed": "no: a record still moves the sum by less than the bound",
    "solver_stops_early": "no: other records' vectors move too little against the noise",
    "information_not_positive": NO_COST,
    "trace_one_release_more": NO_RUN,
    "trace_one_release_less": NO_RUN,
    "trace_peeks_at_records": NO_TRACE,
    "filter_refunds": NO_OVERSPENDING,
    "filter_wraps": NO_OVERSPENDING,
    "filter_after_the_release": NO_OVERSPENDING,
    "counts_of_twice_the_bound": COUNTS_UNSEEN,
    "counts_of_first_record": COUNTS_UNSEEN,
    "counts_of_unusable_records": NO_COST,
    "outcomes_by_position": SECRET,
    "outcomes_of_first_record": SIMULATED_UNSEEN,
    "outcomes_repeat": NO_COST,
    "own_outcome_left_out": NO_COST,
    "simulated_solver_stops_early": SIMULATED_UNSEEN,
    "noise_on_every_rank": NO_COST,
    "rank_left_out": NO_COST,
    "ranks_overlap": ONE_PROCESS,
    "ranks_number_their_own": ONE_PROCESS,
    "ranks_sample_their_own_table": ONE_PROCESS,
    "lost_rank_unnoticed": ONE_PROCESS,
}


def mutated(mutant, root):
    text = (pathlib.Path(root) / mutant.file).read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        sys.exit(f"{mutant.name}: its text occurs {text.count(mutant.old)} times in {mutant.file}, "
                 "not once. Carry the change of the source over to tests/mutants/mutants.py.")
    header = f"#include {mutant.include}\n" if mutant.include else ""
    return header + text.replace(mutant.old, mutant.new)


def main():
    words = sys.argv[1:]
    if words == ["list"]:
        print("\n".join(f"{mutant.name} {mutant.file}" for mutant in MUTANTS))
    elif len(words) == 4 and words[0] == "write":
        name, root, out = words[1:]
        mutant = next(mutant for mutant in MUTANTS if mutant.name == name)
        pathlib.Path(out).write_text(mutated(mutant, root), encoding="utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
