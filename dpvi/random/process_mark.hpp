#pragma once

#include <atomic>
#include <cstdint>

namespace dpvi {

// Remembers the process in which it was made, to notice a fork. A child of fork() has copies of its
// parent's keys and buffered words; used on, they would give two results the same noise.
//
// The mark is a word in a page that the kernel clears in a child (MADV_WIPEONFORK); a fork handler
// clears it too, for kernels without that. Not noticed: a whole virtual machine that is
// snapshotted and resumed twice.
class ProcessMark {
 public:
  // The mark of the calling process.
  ProcessMark();

  // False in every descendant of the process that made this mark. One load: cheap enough to ask
  // before every random word.
  bool holds() const noexcept { return word_->load(std::memory_order_relaxed) == value_; }

 private:
  const std::atomic<std::uint64_t>* word_;
  std::uint64_t value_;
};

}  // namespace dpvi
