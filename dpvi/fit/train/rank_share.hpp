#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/base/rank_link.hpp>
#include <dpvi/random/batch_generator.hpp>
#include <dpvi/random/poisson_sampling.hpp>

namespace dpvi {

// What the table of a rank holds.
enum class RankTable {
  part,  // records of its own, which no other rank has
  whole  // all records of the job; each rank takes a range of them
};

// The records of a job are numbered from 0 over all ranks. A rank takes part with those of one
// range; the ranges of all ranks make up the whole, and no record is in two.
class RankShare {
 public:
  // One process with all records.
  explicit RankShare(std::uint64_t records) : total_(records), count_(records) {}

  // Every rank calls it with the number of records in its own table. Throws on all ranks if there
  // are too many records, or if tables that should be the same differ in length.
  RankShare(RankLink& link, RankTable table, std::uint64_t records);

  RankLink* link() const { return link_; }
  std::uint64_t total() const { return total_; }
  // True if the table of that rank has no record.
  bool is_empty(std::size_t rank) const { return counts_.at(rank) == 0; }

  // The selected records of a step among those of this rank, numbered as in its table.
  std::vector<std::uint64_t> batch(const PoissonSampler& sampler, const BatchGenerator& generator,
                                   std::uint64_t step) const;

  // Public upper bound on the records of a job, and so on any batch.
  static constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;

 private:
  RankLink* link_ = nullptr;
  std::vector<std::int64_t> counts_;  // records in the table of each rank
  std::uint64_t total_;
  std::uint64_t first_ = 0;   // of the own range
  std::uint64_t count_;       // of the own range
  std::uint64_t before_ = 0;  // records of the job before the first one of this rank's table
};

}  // namespace dpvi
