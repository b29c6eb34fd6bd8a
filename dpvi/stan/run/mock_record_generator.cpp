#include <dpvi/stan/run/mock_record_generator.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace dpvi {
namespace {

std::int32_t columns_needed(const std::vector<RecordVariable>& all, bool integer) {
  std::int32_t total = 0;
  for (const RecordVariable& columns : all) {
    if (columns.integer == integer) total += columns.count;
  }
  return total;
}

}  // namespace

MockRecordGenerator::MockRecordGenerator(std::vector<RecordVariable> columns,
                                         const RecordFacts& facts, std::uint64_t seed)
    : columns_(std::move(columns)), facts_(facts), state_(seed) {}

// SplitMix64; a statistical quality beyond arbitrary-looking numbers is not needed.
double MockRecordGenerator::uniform() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  return (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
}

double MockRecordGenerator::standard_normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double MockRecordGenerator::integer(const RecordVariable& columns) {
  const double low = columns.lower.value_or(std::min(0.0, columns.upper.value_or(0.0)));
  const double high = std::min(columns.upper.value_or(low + 3.0), low + 1e6);
  return std::min(high, low + std::floor(uniform() * (high - low + 1.0)));
}

double MockRecordGenerator::real_number(const RecordVariable& columns, std::int32_t at) {
  if (columns.variable == nullptr) return standard_normal();  // a latent variable
  ColumnFacts known;
  const auto found = facts_.find(columns.variable->declaration->name);
  if (found != facts_.end() && static_cast<std::size_t>(at) < found->second.size()) {
    known = found->second[static_cast<std::size_t>(at)];
  }
  const auto finite = [](std::optional<double> bound) { return bound && std::isfinite(*bound); };
  const std::optional<double> lower = finite(columns.lower) ? columns.lower : known.lower;
  const std::optional<double> upper = finite(columns.upper) ? columns.upper : known.upper;
  if (lower && upper) return *lower + uniform() * (*upper - *lower);
  if (lower) return *lower + std::exp(0.5 * standard_normal());
  if (upper) return *upper - std::exp(0.5 * standard_normal());
  return known.mean.value_or(0.0) + known.sd.value_or(1.0) * standard_normal();
}

// Makes the values of a special type satisfy its constraint: simplexes, ordered vectors, covariance
// matrices.
void MockRecordGenerator::make_special(const RecordVariable& columns, double* numbers) {
  if (columns.variable == nullptr) return;
  const DeclaredType& type = *columns.variable->declaration->declared;
  if (type.special == SpecialType::none || columns.sizes.empty()) return;
  const bool matrix = type.base == StanBase::matrix;
  const std::int64_t width = columns.sizes.back();
  const std::int64_t piece = matrix && columns.sizes.size() > 1 ? width * width : width;
  for (std::int64_t begin = 0; piece > 0 && begin + piece <= columns.count; begin += piece) {
    double* const first = numbers + begin;
    double* const last = first + piece;
    if (matrix) {
      for (std::int64_t i = 0; i < piece; ++i) first[i] = i % (width + 1) == 0 ? 1.0 : 0.0;
      continue;
    }
    if (type.special != SpecialType::ordered) {
      std::transform(first, last, first, [](double x) { return std::exp(x); });
    }
    if (type.special == SpecialType::simplex || type.special == SpecialType::unit_vector) {
      const bool simplex = type.special == SpecialType::simplex;
      const double total = simplex ? std::accumulate(first, last, 0.0)
                                   : std::sqrt(std::inner_product(first, last, first, 0.0));
      std::transform(first, last, first, [&](double x) { return x / total; });
    } else {
      std::sort(first, last);
    }
  }
}

ProgramRecord MockRecordGenerator::next() {
  ProgramRecord record;
  record.reals.resize(static_cast<std::size_t>(columns_needed(columns_, false)));
  record.integers.resize(static_cast<std::size_t>(columns_needed(columns_, true)));
  for (const RecordVariable& columns : columns_) {
    const std::vector<double> numbers = numbers_for(columns);
    std::copy(numbers.begin(), numbers.end(),
              (columns.integer ? record.integers : record.reals).begin() + columns.first_column);
  }
  return record;
}

double MockRecordGenerator::near_threshold(std::span<const double> thresholds) {
  if (thresholds.empty()) return 0.0;
  const double place = uniform() * static_cast<double>(thresholds.size());
  const double threshold_value = thresholds[static_cast<std::size_t>(place)];
  const double choice = uniform();
  if (choice < 0.3) return threshold_value;
  if (choice < 0.55) return threshold_value + 1.0;
  if (choice < 0.8) return threshold_value - 1.0;
  return threshold_value * (1.0 + uniform());
}

double MockRecordGenerator::unusual(const RecordVariable& columns, double usual,
                                    std::span<const double> thresholds) {
  const double choice = uniform();
  if (choice < 0.4) return usual;
  const double far = std::pow(10.0, 4.0 * uniform());
  double number = columns.integer ? far : usual * far;
  if (choice < 0.8) number = near_threshold(thresholds);
  if (columns.integer) number = std::round(number);
  const bool inside = (!columns.lower || number >= *columns.lower) &&
                      (!columns.upper || number <= *columns.upper) && std::abs(number) < 1e9;
  return inside ? number : usual;
}

ProgramRecord MockRecordGenerator::next_unusual(std::span<const double> thresholds,
                                                const ProgramRecord& before) {
  ProgramRecord record = next();
  for (const RecordVariable& columns : columns_) {
    const bool latent = columns.variable == nullptr;
    if (latent || columns.variable->declaration->declared->special != SpecialType::none) continue;
    std::vector<double>& numbers = columns.integer ? record.integers : record.reals;
    const std::vector<double>& earlier = columns.integer ? before.integers : before.reals;
    for (std::int32_t i = columns.first_column; i < columns.first_column + columns.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool repeat = at < earlier.size() && uniform() < 0.2;
      numbers[at] = repeat ? earlier[at] : unusual(columns, numbers[at], thresholds);
    }
  }
  return record;
}

std::vector<double> MockRecordGenerator::numbers_for(const RecordVariable& columns) {
  std::vector<double> numbers(static_cast<std::size_t>(columns.count));
  for (std::int32_t i = 0; i < columns.count; ++i) {
    numbers[static_cast<std::size_t>(i)] =
        columns.integer ? integer(columns) : real_number(columns, i);
  }
  make_special(columns, numbers.data());
  return numbers;
}

}  // namespace dpvi
