#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/api/table_fingerprint.hpp>
#include <tests/support/arrow_table.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

std::string fingerprint(const Table& table) {
  return fingerprint_of(table, [] { return DataFingerprint(std::string(64, 'a')); });
}

// A data frame of two columns, in batches of these lengths.
std::string fingerprint_of_frame(const std::vector<std::vector<std::int8_t>>& batches) {
  ArrowTable frame(2);
  for (const std::vector<std::int8_t>& numbers : batches) {
    std::vector<std::string> texts;
    for (const std::int8_t number : numbers) texts.push_back(number == 1 ? "one" : "other");
    frame.add(arrow_numbers("x", "c", numbers)).add(arrow_texts("g", texts));
  }
  return fingerprint(StreamedTable{[&] { return std::make_shared<ArrowStream>(&frame.stream); }});
}

TEST(TableFingerprint, StorageAndPiecesDoNotChangeIt) {
  const std::vector<std::int64_t> whole = {1, 2, 1};
  const std::vector<std::string_view> views = {"one", "other", "one"};
  const std::vector<std::int32_t> codes = {1, 0, 1};
  const std::string expected = fingerprint(MemoryTable({{"x", whole}, {"g", Texts(views)}}));
  EXPECT_EQ(fingerprint(MemoryTable({{"x", whole}, {"g", CodedTexts{{"other", "one"}, codes}}})),
            expected);
  EXPECT_EQ(fingerprint_of_frame({{1, 2, 1}}), expected);
  EXPECT_EQ(fingerprint_of_frame({{1}, {}, {2, 1}}), expected);
}

TEST(TableFingerprint, EveryCellAndNameChangesIt) {
  const std::vector<std::int64_t> whole = {1, 2, 1}, other = {1, 2, 2};
  const std::vector<std::string_view> views = {"a", "b", {}}, moved = {"ab", "", {}};
  const std::vector<std::uint8_t> missing = {0, 1, 0};
  const std::string expected = fingerprint(MemoryTable({{"x", whole}, {"g", Texts(views)}}));
  EXPECT_NE(fingerprint(MemoryTable({{"x", other}, {"g", Texts(views)}})), expected);
  EXPECT_NE(fingerprint(MemoryTable({{"x", whole}, {"g", Texts(moved)}})), expected);
  EXPECT_NE(fingerprint(MemoryTable({{"x", whole, missing}, {"g", Texts(views)}})), expected);
  EXPECT_NE(fingerprint(MemoryTable({{"y", whole}, {"g", Texts(views)}})), expected);
  EXPECT_NE(fingerprint(MemoryTable({{"g", Texts(views)}, {"x", whole}})), expected);
}

TEST(TableFingerprint, FilesAreKnownByTheirBytes) {
  const TemporaryFolder folder;
  const std::string one = folder.write("a.csv", "x\n1\n"), same = folder.write("b.csv", "x\n1\n");
  EXPECT_EQ(fingerprint(TableFile{one}), fingerprint(TableFile{same}));
  EXPECT_NE(fingerprint(TableFile{one}), fingerprint(TableFile{folder.write("c.csv", "x\n2\n")}));
}

}  // namespace
}  // namespace dpvi
