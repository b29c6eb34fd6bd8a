#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/privacy/boundary_internal.hpp>
#include <tests/support/private_member.hpp>

namespace dpvi {

// Gives tests access to a ClippedSum. An explicit instantiation names its private member, and a
// header that is not installed completes the type that it points to.
struct ClippedSumStorageTag {
  friend auto private_member(ClippedSumStorageTag);
};
template struct PrivateMember<ClippedSumStorageTag, &ClippedSum::storage_>;

inline std::vector<std::int64_t>& integers_for_tests(ClippedSum& sum) {
  return (sum.*private_member(ClippedSumStorageTag{}))->sums;
}

}  // namespace dpvi
