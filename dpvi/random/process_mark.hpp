#pragma once

#include <atomic>
#include <cstdint>

namespace dpvi {

// Identifies the process in which it was made, to detect a fork. A child of fork() has copies of
// its parent's keys and buffered words; if it used them, two results would have the same noise.
//
// The mark is a word in a page that the kernel clears in a child (MADV_WIPEONFORK). A fork handler
// clears it too, for kernels without that feature. A virtual machine that is snapshotted and
// resumed twice is not detected.
class ProcessMark {
 public:
  // The mark of the calling process.
  ProcessMark();

  // False in every descendant of the process that made this mark. It costs one load, cheap enough
  // for a check before every random word.
  bool holds() const noexcept { return word_->load(std::memory_order_relaxed) == value_; }

 private:
  const std::atomic<std::uint64_t>* word_;
  std::uint64_t value_;
};

}  // namespace dpvi
