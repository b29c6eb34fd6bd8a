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

}  // namespace dpvi
