#include <dpvi/audit/betting_evidence.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {

// A bet on an event, as chosen before a round. `mirrored`: the event is that the score is not above
// the threshold. `exchanged`: the neighbour's runs play P.
struct BettingEvidence::Bet {
  const Threshold* threshold = nullptr;
  bool mirrored = false, exchanged = false;
  ClaimPoint point{0.0, 0.0};
  double stake = 0.0;
  double growth = 0.0;  // of the logarithm of the wealth per pair, as expected

  // Logarithm of the factor by which the round multiplies the wealth.
  double log_factor() const {
    if (threshold == nullptr) return 0.0;
    double sum = 0.0;
    for (unsigned pair = 0; pair < 4; ++pair) {
      bool with = ((pair >> 1) & 1u) != 0, neighbour = (pair & 1u) != 0;
      if (mirrored) {
        with = !with;
        neighbour = !neighbour;
      }
      if (exchanged) std::swap(with, neighbour);
      const double payoff =
          (with ? 1.0 : 0.0) - (neighbour ? std::exp(point.epsilon) : 0.0) - point.delta;
      sum += static_cast<double>(threshold->now[pair]) * std::log1p(stake * payoff);
    }
    return sum;
  }
};

namespace {

// Candidate thresholds: quantiles of the scores of earlier runs, also far out in the tails.
std::vector<double> candidates(const std::vector<double>& with,
                               const std::vector<double>& without) {
  constexpr std::size_t kSample = 4000;
  constexpr double kLevels[] = {0.0, 0.001, 0.005, 0.01, 0.03, 0.07, 0.12, 0.2,   0.3,   0.4, 0.5,
                                0.6, 0.7,   0.8,   0.88, 0.93, 0.97, 0.99, 0.995, 0.999, 1.0};
  std::vector<double> found;
  for (const std::vector<double>* scores : {&with, &without}) {
    std::vector<double> sample(
        scores->begin(),
        scores->begin() + static_cast<std::ptrdiff_t>(std::min(kSample, scores->size())));
    if (sample.empty()) continue;
    std::sort(sample.begin(), sample.end());
    for (const double level : kLevels) {
      const double place = level * static_cast<double>(sample.size() - 1);
      found.push_back(sample[static_cast<std::size_t>(place)]);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// For each candidate, the number of scores above it.
std::vector<std::uint64_t> counts_above(const std::vector<double>& scores,
                                        const std::vector<double>& thresholds) {
  std::vector<std::uint64_t> counts(thresholds.size() + 1, 0);
  for (const double score : scores) {
    const auto place = std::lower_bound(thresholds.begin(), thresholds.end(), score);
    ++counts[static_cast<std::size_t>(place - thresholds.begin())];
  }
  // A score is above all thresholds before its place.
  for (std::size_t i = thresholds.size(); i > 0; --i) counts[i - 1] += counts[i];
  counts.erase(counts.begin());
  return counts;
}

void append(ScoreColumns& all, const ScoreColumns& more) {
  all.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) {
    all[k].insert(all[k].end(), more[k].begin(), more[k].end());
  }
}

}  // namespace

BettingEvidence::Round BettingEvidence::made_round(const ScoreColumns& with_canary,
                                                   const ScoreColumns& neighbour) const {
  Round round{.earlier_pairs = pairs_, .thresholds = {}};
  for (std::size_t k = 0; k < with_canary_.size(); ++k) {
    const std::vector<double> thresholds = candidates(with_canary_[k], neighbour_[k]);
    const auto with = counts_above(with_canary_[k], thresholds);
    const auto without = counts_above(neighbour_[k], thresholds);
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      Threshold& threshold = round.thresholds.emplace_back(Threshold{with[i], without[i], {}});
      for (std::size_t run = 0; run < with_canary[k].size(); ++run) {
        const unsigned pair = (with_canary[k][run] > thresholds[i] ? 2u : 0u) |
                              (neighbour[k][run] > thresholds[i] ? 1u : 0u);
        ++threshold.now[pair];
      }
    }
  }
  return round;
}

void BettingEvidence::add_round(const ScoreColumns& with_canary, const ScoreColumns& neighbour) {
  rounds_.push_back(made_round(with_canary, neighbour));
  append(with_canary_, with_canary);
  append(neighbour_, neighbour);
  pairs_ += with_canary.front().size();
}

// The stake maximises the expected growth as Kelly's rule does, for a mean payoff that is one
// standard error below the earlier mean: among many candidates the best looks too good.
BettingEvidence::Bet BettingEvidence::best_bet(const Round& round,
                                               std::span<const ClaimPoint> claim) {
  Bet best;
  const auto runs = static_cast<double>(round.earlier_pairs);
  for (const Threshold& threshold : round.thresholds) {
    for (unsigned form = 0; form < 4; ++form) {
      const bool mirrored = (form & 1u) != 0, exchanged = (form & 2u) != 0;
      auto hits = std::pair(static_cast<double>(threshold.earlier_with),
                            static_cast<double>(threshold.earlier_neighbour));
      if (mirrored) hits = {runs - hits.first, runs - hits.second};
      if (exchanged) std::swap(hits.first, hits.second);
      const double p = hits.first / runs, q = (hits.second + 1.0) / (runs + 2.0);
      for (const ClaimPoint& point : claim) {
        const double factor = std::exp(point.epsilon);
        const double variance = p * (1.0 - p) + factor * factor * q * (1.0 - q) + 1.0 / runs;
        const double mean = p - factor * q - point.delta - std::sqrt(variance / runs);
        if (mean <= 0.0) continue;
        const double square = variance + mean * mean;
        const double stake = std::min(mean / square, 0.5 / (factor + point.delta));
        const double growth = stake * mean - 0.5 * stake * stake * square;
        if (growth > best.growth) {
          best = {&threshold, mirrored, exchanged, point, stake, growth};
        }
      }
    }
  }
  return best;
}

double BettingEvidence::log_wealth(std::span<const ClaimPoint> claim) const {
  double wealth = 0.0, largest = 0.0;
  for (const Round& round : rounds_) {
    wealth += best_bet(round, claim).log_factor();
    largest = std::max(largest, wealth);
  }
  return largest;
}

}  // namespace dpvi
