#include <dpvi/eval/outcome_scores.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace dpvi {
namespace {

constexpr std::size_t kBins = 10;

class Scorer {
 public:
  void add(const std::vector<double>& probabilities, std::size_t observed) {
    const auto likeliest = static_cast<std::size_t>(
        std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
    hits_ += likeliest == observed ? 1.0 : 0.0;
    const bool binary = probabilities.size() == 2;
    for (std::size_t i = binary ? 1 : 0; i < probabilities.size(); ++i) {
      const double error = probabilities[i] - (i == observed ? 1.0 : 0.0);
      squares_ += error * error;
    }
    const std::size_t shown = binary ? 1 : likeliest;
    const double probability = probabilities[shown];
    CalibrationBin& bin = bins_[std::min(kBins - 1, static_cast<std::size_t>(probability * kBins))];
    ++bin.rows;
    bin.predicted += probability;
    bin.observed += shown == observed ? 1.0 : 0.0;
  }

  void finish(OutcomeScores& scores) const {
    const auto rows = static_cast<double>(scores.rows);
    scores.accuracy = hits_ / rows;
    scores.brier = squares_ / rows;
    for (std::size_t i = 0; i < kBins; ++i) {
      CalibrationBin bin = bins_[i];
      if (bin.rows == 0) continue;
      bin.lower = static_cast<double>(i) / kBins;
      bin.upper = static_cast<double>(i + 1) / kBins;
      bin.predicted /= static_cast<double>(bin.rows);
      bin.observed /= static_cast<double>(bin.rows);
      scores.calibration.push_back(bin);
    }
  }

 private:
  double hits_ = 0.0;
  double squares_ = 0.0;
  std::array<CalibrationBin, kBins> bins_{};
};

}  // namespace

OutcomeScores score_outcome(const OutcomePrediction& prediction, const OutcomeColumn& outcome,
                            const RowTable& rows) {
  OutcomeScores scores;
  Scorer scorer;
  const bool counted = !outcome.values().empty();
  std::vector<double> probabilities(outcome.values().size());
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const auto observed = counted ? outcome.find(rows, row) : std::nullopt;
    const bool scored = rows.usable[row] && rows.observed[row] && (!counted || observed) &&
                        !std::isnan(prediction.log_density[row]);
    if (!scored) {
      ++scores.left_out;
      continue;
    }
    ++scores.rows;
    scores.log_predictive_density += prediction.log_density[row];
    if (!counted) continue;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      probabilities[i] = prediction.by_value[i][row];
    }
    scorer.add(probabilities, *observed);
  }
  if (scores.rows == 0) return scores;
  scores.log_predictive_density /= static_cast<double>(scores.rows);
  if (counted) scorer.finish(scores);
  return scores;
}

}  // namespace dpvi
