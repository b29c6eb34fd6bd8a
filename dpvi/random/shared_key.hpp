#pragma once

#include <array>
#include <cstdint>

#include <dpvi/base/rank_link.hpp>

namespace dpvi {

// 32 bytes of the root's kernel, which all ranks of a job know while it runs. Cleared on
// destruction. Batches and simulated outcomes follow from such keys; noise never does.
class SharedKey {
 public:
  // Every rank calls it at the same point of the job.
  explicit SharedKey(RankLink& ranks);
  SharedKey(const SharedKey&) = delete;
  SharedKey& operator=(const SharedKey&) = delete;
  ~SharedKey();

  const std::array<std::uint8_t, 32>& bytes() const { return bytes_; }

 private:
  std::array<std::uint8_t, 32> bytes_{};
};

}  // namespace dpvi
