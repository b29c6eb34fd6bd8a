#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {

// Opens a ClippedSum for tests. The library leaves no door for it: the name of a private member is
// taken through an explicit instantiation, where the language does not check access, and what it
// points to is complete only through a header that is not installed.
template <class Tag, auto kMember>
struct PrivateMember {
  friend auto private_member(Tag) { return kMember; }
};

struct ClippedSumStorageTag {
  friend auto private_member(ClippedSumStorageTag);
};
template struct PrivateMember<ClippedSumStorageTag, &ClippedSum::storage_>;

inline std::vector<std::int64_t>& integers_for_tests(ClippedSum& sum) {
  return (sum.*private_member(ClippedSumStorageTag{}))->sums;
}

}  // namespace dpvi
