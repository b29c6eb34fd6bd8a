#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <dpvi/audit/transcript_scores.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/private_fit_plan.hpp>
#include <dpvi/fit/prepare/unit_width.hpp>
#include <dpvi/fit/train/private_step.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A mock row whose gradient the audit chooses, or, with outcomes, its covariates.
struct CanaryRow {
  std::vector<double> reals;
  std::int32_t outcome = 0;
};
using CanaryRecord = std::vector<CanaryRow>;  // the rows of one record

// Two neighbouring tables and the settings of the loop that runs on them.
struct CanarySetup {
  std::vector<CanaryRecord> with_canary, neighbour;
  std::size_t dimension = 1;
  // 0: a row's gradient is its reals. Otherwise outcome k has log odds k (reals . theta) against
  // outcome 0, and clipping is conditionally unbiased.
  std::int32_t outcomes = 0;
  double offset = 0.0;  // added to the first entry of every row's gradient, also a missing row's
  bool units = false;   // records may have several rows
  // If positive, the model uses the rows of a record, up to this many, together: a row's gradient
  // is multiplied by 1 + (the first entry of the row before).
  std::int32_t joined_rows = 0;
  double clip_bound = 1.0;
  std::optional<ClipCoordinate> coordinate = std::nullopt;
  double start = 0.0;                     // all entries of theta
  int threads = 1;                        // of one run
  bool information = false;               // the first release is one of information
  bool by_plan = false;                   // a fit's own planning makes the loop's plan from the run
  std::vector<double> direction = {1.0};  // the canary's vector in a release of gradients
};

// Runs the production loop on either table, as `fit` does: the same step, sampler, gradients,
// clipping and mechanism. Only the records are mock ones.
class CanaryLoop {
 public:
  CanaryLoop(CanarySetup setup, const GaussianRun& run);

  // May be called from several threads at once.
  Transcript transcript(bool with_canary, LoopRandomness randomness) const;

 private:
  RecordTable table_of(const std::vector<CanaryRecord>& records) const;
  SeenRelease seen(const Released& released, bool information) const;
  Transcript trace_transcript(const RecordTable& table, LoopRandomness randomness) const;

  CanarySetup setup_;
  RecordTape tape_;
  UniformFunction prior_;
  std::optional<OutcomeColumns> outcome_;
  std::optional<UnitWidth> unit_;
  LoopPlan plan_;
  RecordTable with_canary_, neighbour_;
};

}  // namespace dpvi
