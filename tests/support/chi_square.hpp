#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <span>
#include <vector>

namespace dpvi {

// P-value of Pearson's chi-square test of `counts` against `probabilities`, which add up to 1.
// Cells with fewer than 10 expected counts are pooled.
inline double chi_square_p_value(std::span<const double> counts,
                                 std::span<const double> probabilities) {
  double total = 0;
  for (const double count : counts) total += count;
  double statistic = 0;
  double cells = 0;
  double rare_count = 0;
  double rare_expected = 0;
  const auto add_cell = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    cells += 1;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * probabilities[i];
    if (expected < 10) {
      rare_count += counts[i];
      rare_expected += expected;
    } else {
      add_cell(counts[i], expected);
    }
  }
  if (rare_expected > 0) add_cell(rare_count, rare_expected);
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

// Probability that a goodness-of-fit test fails by chance for its fixed key.
inline constexpr double kFalseAlarm = 1e-6;

}  // namespace dpvi
