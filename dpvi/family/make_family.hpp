#pragma once

#include <cstddef>
#include <string_view>

#include <dpvi/family/family.hpp>

namespace dpvi {

enum class FamilyKind {
  mean_field,  // independent coordinates
  low_rank,    // a few shared factors in addition to independent coordinates
  full_rank    // any covariance
};
inline constexpr FamilyKind kFamilies[] = {FamilyKind::mean_field, FamilyKind::low_rank,
                                           FamilyKind::full_rank};

const FamilyDescription& description_of(FamilyKind kind);
std::string_view name_of(FamilyKind kind);

// A family that takes no rank ignores it.
SharedFamily make_family(FamilyKind kind, std::size_t dimension, std::size_t rank = 0);

}  // namespace dpvi
