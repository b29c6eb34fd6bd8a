#pragma once

#include <optional>
#include <vector>

#include <dpvi/base/checked_rank_sum.hpp>
#include <dpvi/base/rank_link.hpp>
#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/partial_sum.hpp>

namespace dpvi {

struct GridSum;

// Reduces the partial sums of a step to one clipped sum, to which a mechanism then adds noise once.
// The workers are threads of this process and, with a link, the other ranks of a job. Only the root
// obtains the clipped sum, and only there is a mechanism.
//
// The sum cannot overflow: GridClipper checks its grid for the largest number of records in one
// step, over all workers and ranks, and leaves room for the noise.
//
// Guarantee: every partial sum counts exactly once, and the result does not depend on the number of
// parts, their order or how the records are divided among them. Between ranks, the host of the link
// adds; CheckedRankSum says which of its mistakes are found.
class Collective final {
 public:
  Collective() = default;
  // `ranks` must outlive this object; nullptr means that this process is the whole job.
  explicit Collective(RankLink* ranks);

  // Consumes the parts, of which there must be at least one. Throws InternalError if they differ in
  // grid, clip bound or dimension, or if one was consumed before. On the root of a job, adds the
  // parts that the other ranks contribute.
  ClippedSum reduce(std::vector<PartialSum>&& parts);
  // The same for a single worker.
  ClippedSum reduce(PartialSum&& part);

  // What another rank than the root calls instead. It obtains nothing.
  void contribute(std::vector<PartialSum>&& parts);

 private:
  static GridSum added(std::vector<PartialSum>&& parts);

  RankLink* ranks_ = nullptr;
  std::optional<CheckedRankSum> between_ranks_;
};

}  // namespace dpvi
