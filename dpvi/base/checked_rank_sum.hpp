#pragma once

#include <cstdint>
#include <span>

#include <dpvi/base/rank_link.hpp>

namespace dpvi {

// Sums vectors of integers over ranks, and checks the result at the root. The message has a check
// number behind the values, the same for the sum as for the sum of the ranks' check numbers, and
// one more entry for each rank. So a host that loses a rank's vector, counts it twice, returns an
// old one, mixes up or shortens entries, or computes in floating point is noticed, except with a
// probability of about 2^-50. This finds mistakes; it is no protection against a hostile host.
//
// Guarantee: a rank whose vector is lost or counts twice ends the job.
class CheckedRankSum {
 public:
  explicit CheckedRankSum(RankLink& link) : link_(link) {}

  // At the root, replaces the values by their sums over all ranks, or throws InternalError DP502.
  void sum(std::span<std::int64_t> values);

 private:
  RankLink& link_;
  std::int64_t number_ = 0;  // of sums so far
};

}  // namespace dpvi
