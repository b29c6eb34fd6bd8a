#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <span>
#include <vector>

namespace dpvi {

// Probability that counts drawn from `probabilities` (which add up to 1) fit them worse than
// `counts` do, by Pearson's statistic. Cells with fewer than 10 expected counts are pooled.
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

// Each test of fit may fail by chance, for its fixed key, with this probability.
inline constexpr double kFalseAlarm = 1e-6;

}  // namespace dpvi
