#include <dpvi/fit/train/rank_share.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include <dpvi/base/checked_rank_sum.hpp>
#include <dpvi/base/rank_error.hpp>

namespace dpvi {
namespace {

// The number of records in the table of each rank.
std::vector<std::int64_t> all_counts(RankLink& link, std::uint64_t own) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(link.size()), 0);
  counts[static_cast<std::size_t>(link.rank())] = static_cast<std::int64_t>(own);
  CheckedRankSum(link).sum(counts);
  link.broadcast(std::as_writable_bytes(std::span(counts)));
  return counts;
}

}  // namespace

RankShare::RankShare(RankLink& link, RankTable table, std::uint64_t records)
    : link_(&link), counts_(all_counts(link, records)), total_(records), count_(records) {
  const auto rank = static_cast<std::uint64_t>(link.rank());
  const auto size = static_cast<std::uint64_t>(link.size());
  if (table == RankTable::whole) {
    if (std::ranges::adjacent_find(counts_, std::ranges::not_equal_to()) != counts_.end()) {
      throw InputError(kOtherLedger, "the ranks read tables of different length.",
                       "Give every rank the same table, or a part of its own.");
    }
    first_ = total_ * rank / size;
    count_ = total_ * (rank + 1) / size - first_;
  } else {
    const auto begin = counts_.begin();
    before_ = first_ =
        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(rank), std::uint64_t{0});
    total_ = std::accumulate(begin, counts_.end(), std::uint64_t{0});
  }
  if (total_ > kMostRecords) {
    throw UsageError(kTooLarge, "the ranks have more than 2^32 records together.",
                     "Fit fewer records.");
  }
}

std::vector<std::uint64_t> RankShare::batch(const PoissonSampler& sampler,
                                            const BatchGenerator& generator,
                                            std::uint64_t step) const {
  std::vector<std::uint64_t> records = sampler.sample(generator, step, first_, count_);
  for (std::uint64_t& record : records) record -= before_;
  return records;
}

}  // namespace dpvi
