#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Poisson sampling: in each step every record takes part with probability exactly `rate`,
// independently of all others and of all other steps. A batch may well be empty.
//
// Records are drawn in blocks, block b of step t from its own stream (sampling, t, b), so that any
// thread or machine can draw any block. The size of a block depends on the rate alone: 2^16
// records, or as many more as it takes to expect 64 selected ones (at most 2^32), so that a step
// costs O(rate * record_count) and a large table is never walked.
class PoissonSampler {
 public:
  PoissonSampler(SamplingRate rate, std::uint64_t record_count);

  SamplingRate rate() const { return rate_; }
  std::uint64_t record_count() const { return record_count_; }
  std::uint64_t block_size() const { return block_size_; }
  std::uint64_t block_count() const;

  // Appends the selected records of one block in increasing order, counted from 0 over the table.
  void append_block(const SecureGenerator& generator, std::uint64_t step, std::uint64_t block,
                    std::vector<std::uint64_t>& records) const;

  // All blocks of a step in order.
  std::vector<std::uint64_t> sample(const SecureGenerator& generator, std::uint64_t step) const;

  // The same law from a seed anybody may know: amplification by sampling does not hold. For
  // non-private baselines only.
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
