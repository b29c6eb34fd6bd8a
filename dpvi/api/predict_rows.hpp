#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/quantity_program.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/base/all_cores.hpp>
#include <dpvi/eval/outcome_scores.hpp>
#include <dpvi/eval/row_summary.hpp>

namespace dpvi {

// What to predict for rows, from a bundle alone.
struct PredictRequest {
  // Quantities of the program that depend on records. Empty: all generated ones, unless an outcome
  // is named.
  std::vector<std::string> quantities = {};
  // Column to predict from the program's density; empty: none.
  std::string outcome = {};
  // Also compare with the outcomes in the rows. This declares them public.
  bool score = false;
  // Probabilities of a binary outcome by the 2017 paper's approximation.
  bool laplace = false;
  std::size_t draws = 1000;
  std::uint64_t seed = 1;
  int threads = all_cores();
};

struct Predictions {
  std::size_t rows = 0;
  std::size_t unusable_rows = 0;
  std::vector<RowSummary> summaries;
  std::vector<RowSummary> means;    // without quantiles
  std::vector<double> log_density;  // empty if there are no outcomes
  std::optional<OutcomeScores> scores;
};

// The only column that is an outcome of the program, or "".
std::string only_outcome(const OpenedBundle& opened);

// The outcome to predict if a caller names neither quantity nor outcome: the only outcome, if the
// program generates nothing for rows that says more. Else "".
std::string default_outcome(const OpenedBundle& opened);

// Unusable rows hold NaN. The rows may be read twice: for quantities, and for the outcome.
// Quantities come from `other` if it is given; an outcome always comes from the bundle's program.
Predictions predict_rows(const OpenedBundle& opened, const Table& rows,
                         const PredictRequest& request, const QuantityProgram* other = nullptr);

}  // namespace dpvi
