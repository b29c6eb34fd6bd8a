#include <dpvi/privacy/partial_sum.hpp>

#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {

PartialSum::PartialSum(std::unique_ptr<Storage> storage) noexcept : storage_(std::move(storage)) {}
PartialSum::PartialSum(PartialSum&&) noexcept = default;
PartialSum& PartialSum::operator=(PartialSum&&) noexcept = default;
PartialSum::~PartialSum() = default;

PartialSum::Storage& PartialSum::storage() {
  if (storage_ == nullptr) {
    throw InternalError(kInternal, "a partial sum was used after it had been used up.",
                        "Each partial sum is reduced once.");
  }
  return *storage_;
}

}  // namespace dpvi
