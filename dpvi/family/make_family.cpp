#include <dpvi/family/make_family.hpp>

#include <iterator>

#include <dpvi/family/full_rank_family.hpp>
#include <dpvi/family/low_rank_family.hpp>
#include <dpvi/family/mean_field_family.hpp>

namespace dpvi {
namespace {

struct FamilyRow {
  FamilyKind kind;
  const FamilyDescription& description;
  SharedFamily (*make)(std::size_t dimension, std::size_t rank);
};

template <class SomeFamily>
SharedFamily make_ranked(std::size_t dimension, std::size_t rank) {
  return std::make_shared<const SomeFamily>(dimension, rank);
}

template <class SomeFamily>
SharedFamily make_unranked(std::size_t dimension, std::size_t) {
  return std::make_shared<const SomeFamily>(dimension);
}

// One row for each family, in the order of FamilyKind.
constexpr FamilyRow kRows[] = {
    {FamilyKind::mean_field, MeanFieldFamily::kDescription, &make_unranked<MeanFieldFamily>},
    {FamilyKind::low_rank, LowRankFamily::kDescription, &make_ranked<LowRankFamily>},
    {FamilyKind::full_rank, FullRankFamily::kDescription, &make_unranked<FullRankFamily>}};

constexpr bool rows_are_in_order() {
  std::size_t place = 0;
  for (const FamilyKind kind : kFamilies) {
    if (kRows[place++].kind != kind) return false;
  }
  return place == std::size(kRows);
}
static_assert(rows_are_in_order());

const FamilyRow& row_of(FamilyKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace

const FamilyDescription& description_of(FamilyKind kind) { return row_of(kind).description; }

std::string_view name_of(FamilyKind kind) { return description_of(kind).name; }

SharedFamily make_family(FamilyKind kind, std::size_t dimension, std::size_t rank) {
  return row_of(kind).make(dimension, rank);
}

}  // namespace dpvi
