#include <dpvi/gradient/outcome_bins.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {

OutcomeBins::OutcomeBins(std::vector<BinnedNumber> numbers, std::vector<Histogram> histograms,
                         std::size_t inner)
    : numbers_(std::move(numbers)), histograms_(std::move(histograms)), inner_(inner) {}

void OutcomeBins::sort(std::span<const double> reals, std::span<const std::int32_t> integers,
                       std::span<std::int32_t> bins) const {
  for (std::size_t h = 0; h < histograms_.size(); ++h) {
    const Histogram& histogram = histograms_[h];
    double sum = 0.0;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      const BinnedNumber& number = numbers_[k];
      sum += histogram.weights[k] *
             (number.integer ? static_cast<double>(integers[number.place]) : reals[number.place]);
    }
    if (!std::isfinite(sum)) {
      std::ranges::fill(bins, kNoBin);
      return;
    }
    const double inner = static_cast<double>(inner_);
    const double width = (histogram.highest - histogram.lowest) / inner;
    const double place = std::floor((sum - histogram.lowest) / width);
    bins[h] = static_cast<std::int32_t>(h * bins_of_one()) +
              static_cast<std::int32_t>(std::clamp(place + 1.0, 0.0, inner + 1.0));
  }
}

}  // namespace dpvi
