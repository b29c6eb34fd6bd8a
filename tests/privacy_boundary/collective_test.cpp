#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/one_record_sum.hpp>

// Tests use moved-from objects to check that they throw.
// NOLINTBEGIN(bugprone-use-after-move)
namespace dpvi {
namespace {

const ClipSettings kSettings{
    .grid = NoiseGrid(2.0), .clip_bound = 0x1p-3, .dimension = 3, .max_records = 10};
const std::vector<double> kRecord = {0.0625, -0.03125, 0.01};

std::vector<PartialSum> two_parts(const ClipSettings& other) {
  std::vector<PartialSum> parts;
  parts.push_back(one_record_part(kSettings, kRecord));
  parts.push_back(one_record_part(other, {}));
  return parts;
}

TEST(Collective, ReducesOnlySumsClippedInTheSameWay) {
  const auto reduced_with = [](auto change) {
    ClipSettings settings = kSettings;
    change(settings);
    return Collective().reduce(two_parts(settings));
  };
  EXPECT_NO_THROW(reduced_with([](ClipSettings&) {}));
  EXPECT_THROW(reduced_with([](ClipSettings& s) { s.grid = NoiseGrid(2.1); }), InternalError);
  EXPECT_THROW(reduced_with([](ClipSettings& s) { s.clip_bound = 0.5; }), InternalError);
  EXPECT_THROW(reduced_with([](ClipSettings& s) { s.dimension = 4; }), InternalError);
}

TEST(Collective, UsesThePartsUp) {
  PartialSum part = one_record_part(kSettings, kRecord);
  Collective().reduce(std::move(part));
  EXPECT_THROW(Collective().reduce(std::move(part)), InternalError);
  std::vector<PartialSum> parts = two_parts(kSettings);
  Collective().reduce(std::move(parts));
  EXPECT_THROW(Collective().reduce(std::move(parts)), InternalError);
}

TEST(Collective, NeedsAPart) {
  EXPECT_THROW(Collective().reduce(std::vector<PartialSum>()), InternalError);
}

}  // namespace
}  // namespace dpvi
// NOLINTEND(bugprone-use-after-move)
