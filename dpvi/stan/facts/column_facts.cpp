#include <dpvi/stan/facts/column_facts.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {

ColumnFacts facts_of(std::span<const double> numbers, std::size_t first, std::size_t width) {
  const std::size_t count = numbers.size() / width;
  ColumnFacts facts;
  double sum = 0.0;
  for (std::size_t i = first; i < numbers.size(); i += width) {
    sum += numbers[i];
    facts.lower = std::min(facts.lower.value_or(numbers[i]), numbers[i]);
    facts.upper = std::max(facts.upper.value_or(numbers[i]), numbers[i]);
  }
  if (count == 0) return facts;
  const double mean = sum / static_cast<double>(count);
  facts.mean = mean;
  double squares = 0.0;
  for (std::size_t i = first; i < numbers.size(); i += width) {
    squares += (numbers[i] - mean) * (numbers[i] - mean);
  }
  facts.sd = count < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(count - 1));
  return facts;
}

}  // namespace dpvi
