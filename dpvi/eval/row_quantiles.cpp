#include <dpvi/eval/row_quantiles.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpvi {
namespace {

constexpr std::size_t kQuantileBins = 256;

// A quantile's place in sorted order: between this rank and the next one.
struct Place {
  std::size_t rank = 0;
  double share = 0.0;  // of the way to the next rank

  std::size_t last_rank() const { return share == 0.0 ? rank : rank + 1; }
};

Place place_of(double probability, std::size_t count) {
  const double place = probability * static_cast<double>(count - 1);
  const auto rank = static_cast<std::size_t>(place);
  return {rank, rank + 1 < count ? place - std::floor(place) : 0.0};
}

// `skipped` smaller numbers are not in the list.
double quantile_among(std::span<double> numbers, const Place& place, std::size_t skipped) {
  const auto below = numbers.begin() + static_cast<std::ptrdiff_t>(place.rank - skipped);
  std::nth_element(numbers.begin(), below, numbers.end());
  if (place.share == 0.0) return *below;
  const double above = *std::min_element(below + 1, numbers.end());
  return above == *below ? above : *below + place.share * (above - *below);
}

// Sorts numbers into equally wide bins. A larger number is never in a smaller bin, because rounding
// is monotone.
class Bins {
 public:
  Bins(std::span<const double> numbers, double least, double scale)
      : numbers_(numbers), least_(least), scale_(scale) {
    for (const double number : numbers) ++counts_[bin_of(number)];
  }

  // Uses only the numbers of the bins that hold the two ranks. Processors mispredict comparisons of
  // random numbers; copying every number and advancing past those that are wanted needs none.
  double quantile(const Place& place, std::vector<double>& room) const {
    std::size_t first = 0, skipped = 0;
    while (skipped + counts_[first] <= place.rank) skipped += counts_[first++];
    std::size_t last = first, end = skipped + counts_[first];
    while (end <= place.last_rank()) end += counts_[++last];
    std::size_t found = 0;
    for (const double number : numbers_) {
      room[found] = number;
      const std::size_t bin = bin_of(number);
      found += static_cast<std::size_t>(bin >= first) & static_cast<std::size_t>(bin <= last);
    }
    const std::span<double> chosen = std::span(room).first(found);
    // Outcomes such as 0 and 1 fill their bins with equal numbers.
    const bool equal = std::ranges::all_of(chosen, [&](double x) { return x == chosen[0]; });
    return equal ? chosen[0] : quantile_among(chosen, place, skipped);
  }

 private:
  std::size_t bin_of(double number) const {
    return static_cast<std::size_t>(static_cast<std::int32_t>((number - least_) * scale_));
  }

  std::span<const double> numbers_;
  double least_;
  double scale_;
  std::array<std::uint32_t, kQuantileBins> counts_{};
};

}  // namespace

RowQuantiles row_quantiles(std::span<double> numbers) {
  const Place low = place_of(0.05, numbers.size()), high = place_of(0.95, numbers.size());
  double least = numbers[0], largest = numbers[0];
  for (const double number : numbers) {
    least = number < least ? number : least;
    largest = number > largest ? number : largest;
  }
  // The largest number stays below the end of the last bin, whatever rounding does.
  const double scale = (static_cast<double>(kQuantileBins) - 0.5) / (largest - least);
  const bool few = numbers.size() < kQuantileBins / 4;
  if (few || !std::isfinite(scale) || !std::isfinite(largest - least)) {
    return {quantile_among(numbers, low, 0), quantile_among(numbers, high, 0)};
  }
  const Bins bins(numbers, least, scale);
  std::vector<double> room(numbers.size() + 1);
  return {bins.quantile(low, room), bins.quantile(high, room)};
}

}  // namespace dpvi
