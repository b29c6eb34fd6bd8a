#pragma once

#include <cstdint>

#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

// Counts what a run spends whose records all take part in every release. A release whose records
// have norm D on the grid costs D^2 against noise of variance 2^48. These are Gaussian mechanisms,
// whose costs add up to that of one mechanism with mu^2 = sum D^2 / 2^48 under add/remove, and four
// times that under substitution, however the later ones depend on earlier results (Smith & Thakurta
// 2022).
//
// Guarantee: the sum of D^2 over all releases never exceeds the total that was allowed before the
// first one. It is checked in whole numbers before each release, and nothing is ever refunded.
class MuFilter {
 public:
  // Adds to the total: that many releases on the grid. Throws InternalError after the first
  // spend().
  void allow(const NoiseGrid& grid, std::int64_t releases);

  // Counts a release on the grid. Throws InternalError if the total would be exceeded; the release
  // must then not be made.
  void spend(const NoiseGrid& grid);

 private:
  // 2^60 for a release, times 2^40 releases, exceeds 64 bits.
  using Wide = unsigned __int128;
  static Wide cost(const NoiseGrid& grid);

  Wide allowed_ = 0;
  Wide spent_ = 0;
  bool started_ = false;
};

}  // namespace dpvi
