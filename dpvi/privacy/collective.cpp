#include <dpvi/privacy/collective.hpp>

#include <memory>
#include <span>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {
namespace {

void require_alike(const GridSum& into, const GridSum& from) {
  const bool alike = into.grid == from.grid && into.clip_bound == from.clip_bound &&
                     into.sums.size() == from.sums.size();
  if (alike) return;
  throw InternalError(kInternal, "two partial sums differ in grid, clip bound or dimension.",
                      "Reduce sums of one step only.");
}

void add(const GridSum& from, GridSum& into) {
  require_alike(into, from);
  for (std::size_t j = 0; j < into.sums.size(); ++j) into.sums[j] += from.sums[j];
}

[[noreturn]] void refuse_role() {
  throw InternalError(kInternal, "a rank took the part of another one in a reduction.",
                      "The root reduces, the others contribute.");
}

}  // namespace

Collective::Collective(RankLink* ranks) : ranks_(ranks) {
  if (ranks_ != nullptr) between_ranks_.emplace(*ranks_);
}

GridSum Collective::added(std::vector<PartialSum>&& parts) {
  std::vector<PartialSum> taken = std::move(parts);
  if (taken.empty()) {
    throw InternalError(kInternal, "a step has no partial sum.",
                        "Reduce at least one, which may be the sum of no records.");
  }
  GridSum total = std::move(taken.front().storage());
  for (PartialSum& part : std::span(taken).subspan(1)) add(part.storage(), total);
  return total;
}

ClippedSum Collective::reduce(std::vector<PartialSum>&& parts) {
  if (ranks_ != nullptr && !ranks_->is_root()) refuse_role();
  GridSum all = added(std::move(parts));
  if (between_ranks_) between_ranks_->sum(all.sums);
  return ClippedSum(std::make_unique<ClippedSum::Storage>(std::move(all)));
}

ClippedSum Collective::reduce(PartialSum&& part) {
  std::vector<PartialSum> parts;
  parts.push_back(std::move(part));
  return reduce(std::move(parts));
}

void Collective::contribute(std::vector<PartialSum>&& parts) {
  if (ranks_ == nullptr || ranks_->is_root()) refuse_role();
  GridSum own = added(std::move(parts));
  between_ranks_->sum(own.sums);
}

}  // namespace dpvi
