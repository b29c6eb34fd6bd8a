#include <dpvi/base/callback_ranks.hpp>

#include <fmt/format.h>

#include <dpvi/base/rank_error.hpp>

namespace dpvi {
namespace {

constexpr int kMostRanks = 8192;

}  // namespace

CallbackRanks::CallbackRanks(const dpvi_rank_callbacks& callbacks) : callbacks_(callbacks) {
  const int size = callbacks_.size;
  if (size < 1 || size > kMostRanks || callbacks_.rank < 0 || callbacks_.rank >= size) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("rank {} of {} ranks: there may be 1 to {}, counted from 0.",
                                 callbacks_.rank, size, kMostRanks),
                     "Give every process its own rank.");
  }
  if (callbacks_.sum == nullptr || callbacks_.broadcast == nullptr) {
    throw UsageError(kContradiction, "a job on several ranks needs both sum and broadcast.",
                     "Give both functions.");
  }
}

void CallbackRanks::require_success(int code) {
  if (code == 0) return;
  abandoned_ = true;
  throw rank_failure("a rank was lost, or the ranks cannot exchange numbers.",
                     "See the message of the lost rank. No result was written; what was charged "
                     "stays charged.");
}

void CallbackRanks::sum(std::span<std::int64_t> values) {
  if (size() == 1) return;
  require_success(abandoned_ ? 1
                             : callbacks_.sum(callbacks_.context, values.data(), values.size()));
}

void CallbackRanks::broadcast(std::span<std::byte> bytes) {
  if (size() == 1) return;
  require_success(
      abandoned_ ? 1 : callbacks_.broadcast(callbacks_.context, bytes.data(), bytes.size()));
}

}  // namespace dpvi
