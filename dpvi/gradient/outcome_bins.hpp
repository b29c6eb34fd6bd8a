#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// A number of a record as read.
struct BinnedNumber {
  bool integer = false;
  std::size_t place = 0;  // reals and integers are numbered separately
};

// Public histograms of weighted sums of a record's numbers, for a release of counts. Each has bins
// of equal width between its ends, one bin below and one above them.
class OutcomeBins {
 public:
  struct Histogram {
    std::vector<double> weights;  // of the numbers
    double lowest = 0.0;
    double highest = 1.0;
  };

  static constexpr std::int32_t kNoBin = -1;

  // All histograms have this number of bins between their ends.
  OutcomeBins(std::vector<BinnedNumber> numbers, std::vector<Histogram> histograms,
              std::size_t inner);

  std::size_t histograms() const { return histograms_.size(); }
  std::size_t bins_of_one() const { return inner_ + 2; }
  // The number of bins of all histograms together.
  std::size_t size() const { return histograms_.size() * bins_of_one(); }

  // Writes the bin of the record in each histogram, counted over all of them; kNoBin everywhere if
  // a sum is not finite.
  //
  // Guarantee: the bins depend on this record and on public numbers alone.
  void sort(std::span<const double> reals, std::span<const std::int32_t> integers,
            std::span<std::int32_t> bins) const;

 private:
  std::vector<BinnedNumber> numbers_;
  std::vector<Histogram> histograms_;
  std::size_t inner_;
};

}  // namespace dpvi
