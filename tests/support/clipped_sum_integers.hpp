#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/privacy/boundary_internal.hpp>
#include <tests/support/private_member.hpp>

namespace dpvi {

// Opens a ClippedSum for tests: its private member is named by an explicit instantiation, and what
// it points to is complete only through a header that is not installed.
struct ClippedSumStorageTag {
  friend auto private_member(ClippedSumStorageTag);
};
template struct PrivateMember<ClippedSumStorageTag, &ClippedSum::storage_>;

inline std::vector<std::int64_t>& integers_for_tests(ClippedSum& sum) {
  return (sum.*private_member(ClippedSumStorageTag{}))->sums;
}

}  // namespace dpvi
