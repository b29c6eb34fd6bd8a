#include <dpvi/fit/mock/outcome_check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/fit/mock/law_points.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/mock/record_lanes.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kRecords = 256;
constexpr std::size_t kDrawsPerRecord = 16;
// A point at which fewer records can be drawn tells nothing.
constexpr std::ptrdiff_t kLeastUsable = kRecords / 16;
constexpr std::size_t kMostPartlyDrawn = kRecords / 64;
// A mean this many standard errors from zero refuses the law. With a million comparisons the chance
// that a right law is refused is about 1e-3 times one percent.
constexpr double kMostStandardErrors = 7.0;
// Outcomes with a probability below kUnseen / draws may be missing in all draws, except with
// probability exp(-kUnseen). Their gradients are taken from outcomes of the mock records.
constexpr double kUnseen = 20.0;
constexpr double kUnseenQuantile = 0.9;
// Besides the plain mean, the mean weighted by this many columns of the record.
constexpr std::size_t kMostWeights = 6;

// Standardises a list of numbers in place; returns false if they are all equal.
bool standardise(std::vector<double>& numbers) {
  double sum = 0.0, squares = 0.0;
  for (const double number : numbers) sum += number;
  const double mean = sum / static_cast<double>(numbers.size());
  for (double& number : numbers) {
    number -= mean;
    squares += number * number;
  }
  const double sd = std::sqrt(squares / static_cast<double>(numbers.size()));
  if (!(sd > 1e-9 * std::abs(mean)) || !std::isfinite(sd)) return false;
  for (double& number : numbers) number /= sd;
  return true;
}

// Functions of the rest of a record, with one number for each record: the constant 1 and some
// columns.
std::vector<std::vector<double>> weights_of(const std::vector<MockRecord>& records,
                                            std::span<const RecordColumn> outcomes) {
  std::vector<std::vector<double>> weights{std::vector<double>(records.size(), 1.0)};
  const auto add = [&](bool integer, std::size_t count) {
    for (std::size_t i = 0; i < count && weights.size() <= kMostWeights; ++i) {
      const RecordColumn column{integer, static_cast<std::int32_t>(i)};
      if (std::ranges::find(outcomes, column) != outcomes.end()) continue;
      std::vector<double> numbers;
      for (const MockRecord& record : records) {
        numbers.push_back(integer ? record.integers[i] : record.reals[i]);
      }
      if (standardise(numbers)) weights.push_back(std::move(numbers));
    }
  };
  add(false, records.front().reals.size());
  add(true, records.front().integers.size());
  return weights;
}

// For each coordinate: the size of the gradient at outcomes that the law may rarely draw.
std::vector<double> unseen_gradients(RecordLanes& lanes, std::size_t dimension,
                                     std::span<const MockRecord> records) {
  std::vector<std::vector<double>> sizes(dimension);
  for (std::size_t first = 0; first < records.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, records.size() - first);
    const double* gradient = lanes.gradients(records.subspan(first, count));
    for (std::size_t j = 0; j < dimension; ++j) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        const double size = std::abs(gradient[j * kLanes + lane]);
        if (size > 0.0) sizes[j].push_back(size);
      }
    }
  }
  std::vector<double> quantiles(dimension, std::numeric_limits<double>::infinity());
  for (std::size_t j = 0; j < dimension; ++j) {
    if (sizes[j].empty()) continue;
    const auto at =
        static_cast<std::ptrdiff_t>(kUnseenQuantile * static_cast<double>(sizes[j].size() - 1));
    std::nth_element(sizes[j].begin(), sizes[j].begin() + at, sizes[j].end());
    quantiles[j] = sizes[j][static_cast<std::size_t>(at)];
  }
  return quantiles;
}

// The records that can be drawn. Records of which only some outcomes can be drawn are left out:
// those outcomes would be a selection. With more than a few such records the list is empty.
std::vector<bool> always_drawn(const std::vector<bool>& drawn) {
  std::vector<std::size_t> counts(kRecords, 0);
  for (std::size_t i = 0; i < drawn.size(); ++i) counts[i % kRecords] += drawn[i] ? 1 : 0;
  std::vector<bool> usable;
  std::size_t partly = 0;
  for (const std::size_t count : counts) {
    usable.push_back(count == kDrawsPerRecord);
    partly += count > 0 && count < kDrawsPerRecord ? 1 : 0;
  }
  if (partly > kMostPartlyDrawn) usable.assign(kRecords, false);
  return usable;
}

enum class Verdict { zero, not_zero, unknown };

// Weighted sums of gradients over simulated records, and the sums of their squares.
class GradientSums {
 public:
  GradientSums(std::size_t dimension, std::vector<std::vector<double>> weights)
      : dimension_(dimension),
        weights_(std::move(weights)),
        sums_(dimension * weights_.size()),
        squares_(dimension * weights_.size()) {}

  void add(std::size_t record, const double* gradient, std::size_t lane) {
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      const double weight = weights_[w][record % weights_[w].size()];
      for (std::size_t j = 0; j < dimension_; ++j) {
        const double term = weight * gradient[j * kLanes + lane];
        sums_[w * dimension_ + j] += term;
        squares_[w * dimension_ + j] += term * term;
      }
    }
  }

  Verdict verdict(const std::vector<double>& unseen) const {
    Verdict verdict = Verdict::unknown;
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      const double largest = std::abs(*std::ranges::max_element(
          weights_[w], [](double a, double b) { return std::abs(a) < std::abs(b); }));
      for (std::size_t j = 0; j < dimension_; ++j) {
        const double squares = squares_[w * dimension_ + j];
        if (!(squares > 0.0) || !std::isfinite(squares)) continue;
        const double most =
            kMostStandardErrors * std::sqrt(squares) + kUnseen * unseen[j] * largest;
        if (std::abs(sums_[w * dimension_ + j]) > most) return Verdict::not_zero;
        verdict = Verdict::zero;
      }
    }
    return verdict;
  }

 private:
  std::size_t dimension_;
  std::vector<std::vector<double>> weights_;
  std::vector<double> sums_;
  std::vector<double> squares_;
};

}  // namespace

bool has_zero_mean_gradient(const RecordModel& model, const Binding& binding,
                            const OutcomeSource& source) {
  const std::vector<MockRecord> mock = make_mock_records(binding, kRecords, SeededGenerator(4));
  std::vector<MockRecord> repeated;
  for (std::size_t i = 0; i < kDrawsPerRecord; ++i) {
    repeated.insert(repeated.end(), mock.begin(), mock.end());
  }
  bool informative = false;
  std::uint64_t seed = 0;
  for (const std::vector<double>& theta : law_points(model)) {
    std::vector<MockRecord> records = repeated;
    const std::vector<bool> drawn = source.run(theta, records, SeededGenerator(6 + seed++), {});
    const std::vector<bool> usable = always_drawn(drawn);
    if (std::ranges::count(usable, true) < kLeastUsable) continue;
    RecordLanes lanes(model.tape(), theta);
    GradientSums sums(model.dimension(), weights_of(mock, source.columns()));
    for (std::size_t first = 0; first < records.size(); first += kLanes) {
      const std::size_t count = std::min<std::size_t>(kLanes, records.size() - first);
      const double* gradient = lanes.gradients(std::span(records).subspan(first, count));
      for (std::size_t lane = 0; lane < count; ++lane) {
        if (usable[(first + lane) % kRecords]) sums.add(first + lane, gradient, lane);
      }
    }
    const Verdict verdict = sums.verdict(unseen_gradients(lanes, model.dimension(), mock));
    if (verdict == Verdict::not_zero) return false;
    informative = informative || verdict == Verdict::zero;
  }
  return informative;
}

}  // namespace dpvi
