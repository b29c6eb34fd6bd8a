#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dpvi {

// Connects the ranks of one job: processes or threads that each hold a part of the records. Threads
// of one process, MPI and the callbacks of a host such as Spark implement it.
//
// Contract: all ranks call sum() and broadcast() in the same order with the same sizes. A rank
// waits until the others have called. If a rank is lost, the calls of the others throw; they never
// return wrong numbers and do not wait for ever. Integers arrive as they were given, all 64 bits.
class RankLink {
 public:
  RankLink() = default;
  virtual ~RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;

  virtual int rank() const = 0;  // 0 is the root
  virtual int size() const = 0;
  // At the root, replaces the values by their sums over all ranks. What other ranks find there is
  // not specified.
  virtual void sum(std::span<std::int64_t> values) = 0;
  // Replaces the bytes by those of the root.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  // Called when this rank fails between two calls: the others need not wait for it, and its own
  // further calls throw.
  virtual void abandon() noexcept = 0;

  bool is_root() const { return rank() == 0; }
};

}  // namespace dpvi
