#pragma once

#include <optional>
#include <utility>

#include <dpvi/base/rank_link.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// The generator of batches and variational draws. In one process its key is that of a
// SecureGenerator. The ranks of a job share a key, so that each can draw the batch of its records.
//
// Guarantee: noise never comes from a key that ranks share. A mechanism takes a SecureGenerator,
// and none can be made from this type.
class BatchGenerator {
 public:
  BatchGenerator() : own_(std::in_place) {}
  // NOLINTNEXTLINE(google-explicit-constructor): in one process the two are the same
  BatchGenerator(SecureGenerator&& own) : own_(std::move(own)) {}
  // The root's kernel gives the key to all ranks, which call this at the same point of the job.
  explicit BatchGenerator(RankLink& ranks);

  // The same words as those of a SecureGenerator with the same key.
  SecureStream stream(const StreamAddress& address) const;

 private:
  std::optional<SecureGenerator> own_;
  CipherContext shared_;
  ProcessMark process_;
};

}  // namespace dpvi
