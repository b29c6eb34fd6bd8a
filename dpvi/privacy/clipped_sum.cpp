#include <dpvi/privacy/clipped_sum.hpp>

#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {

ClippedSum::ClippedSum(std::unique_ptr<Storage> storage) noexcept : storage_(std::move(storage)) {}
ClippedSum::ClippedSum(ClippedSum&&) noexcept = default;
ClippedSum& ClippedSum::operator=(ClippedSum&&) noexcept = default;
ClippedSum::~ClippedSum() = default;

const ClippedSum::Storage& ClippedSum::storage() const {
  if (storage_ == nullptr) {
    throw InternalError(kInternal, "a clipped sum was used a second time.",
                        "Each sum is released once.");
  }
  return *storage_;
}

ClippedSum::Storage& ClippedSum::storage() {
  return const_cast<Storage&>(std::as_const(*this).storage());
}

const NoiseGrid& ClippedSum::grid() const { return storage().grid; }
double ClippedSum::clip_bound() const { return storage().clip_bound; }
std::size_t ClippedSum::dimension() const { return storage().sums.size(); }

void ClippedSum::merge(ClippedSum&& other) {
  const ClippedSum taken = std::move(other);
  const Storage& from = taken.storage();
  Storage& into = storage();  // read last, so that merging a sum with itself throws
  const bool alike = into.grid == from.grid && into.clip_bound == from.clip_bound &&
                     into.sums.size() == from.sums.size();
  if (!alike) {
    throw InternalError(kInternal, "two clipped sums differ in grid, clip bound or dimension.",
                        "Merge sums of one step only.");
  }
  for (std::size_t j = 0; j < into.sums.size(); ++j) into.sums[j] += from.sums[j];
}

}  // namespace dpvi
