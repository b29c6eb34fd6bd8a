#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/random/batch_generator.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Poisson sampling: in each step every record takes part with probability exactly `rate`,
// independently of all other records and of all other steps. A batch may be empty.
//
// Records are drawn in blocks. Block b of step t has its own stream (sampling, t, b), so any thread
// or machine can draw any block. The block size depends on the rate alone: 2^16 records, or as many
// more (at most 2^32) as are needed to expect 64 selected ones. So a step costs
// O(rate * record_count) and does not visit every record of a large table.
class PoissonSampler {
 public:
  PoissonSampler(SamplingRate rate, std::uint64_t record_count);

  SamplingRate rate() const { return rate_; }
  std::uint64_t record_count() const { return record_count_; }
  std::uint64_t block_size() const { return block_size_; }
  std::uint64_t block_count() const;

  // Appends the selected records of one block in increasing order, numbered from 0 over the table.
  void append_block(const SecureGenerator& generator, std::uint64_t step, std::uint64_t block,
                    std::vector<std::uint64_t>& records) const;

  // The selected records of all blocks of a step, in order.
  std::vector<std::uint64_t> sample(const SecureGenerator& generator, std::uint64_t step) const;

  // Those of a step among the records `first` to `first + count`, without the last. Blocks that are
  // only partly in this range are drawn completely, so the records of a step do not depend on how
  // ranges divide the table.
  std::vector<std::uint64_t> sample(const BatchGenerator& generator, std::uint64_t step,
                                    std::uint64_t first, std::uint64_t count) const;

  // The same distribution from a seed that anyone may know. Amplification by sampling does not
  // hold, so this is for non-private baselines only.
  void append_block_not_private(const SeededGenerator& generator, std::uint64_t step,
                                std::uint64_t block, std::vector<std::uint64_t>& records) const;

  std::vector<std::uint64_t> sample_not_private(const SeededGenerator& generator,
                                                std::uint64_t step) const;

 private:
  SamplingRate rate_;
  std::uint64_t record_count_;
  std::uint64_t block_size_;
};

}  // namespace dpvi
