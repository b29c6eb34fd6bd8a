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

}  // namespace

ClippedSum Collective::reduce(std::vector<PartialSum>&& parts) const {
  std::vector<PartialSum> taken = std::move(parts);
  if (taken.empty()) {
    throw InternalError(kInternal, "a step has no partial sum.",
                        "Reduce at least one, which may be the sum of no records.");
  }
  GridSum total = std::move(taken.front().storage());
  for (PartialSum& part : std::span(taken).subspan(1)) add(part.storage(), total);
  return ClippedSum(std::make_unique<ClippedSum::Storage>(std::move(total)));
}

ClippedSum Collective::reduce(PartialSum&& part) const {
  std::vector<PartialSum> parts;
  parts.push_back(std::move(part));
  return reduce(std::move(parts));
}

}  // namespace dpvi
