#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/data/arrow_stream.hpp>
#include <dpvi/data/arrow_texts.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/stream_columns.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/arrow_table.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using ArrowRecords = std::vector<std::optional<PlainRecord>>;

Binding bind_arrow(const ArrowStream& stream, std::vector<DataVariable> variables,
                   const std::string& schema) {
  BindingRequest request;
  request.variables = std::move(variables);
  request.schema = parse_schema(schema, "s.toml");
  request.header = stream.header();
  Binding binding = bind_columns(request);
  stream.refuse_types(binding);
  return binding;
}

ArrowRecords read_arrow(ArrowTable& table, std::vector<DataVariable> variables,
                        const std::string& schema = "") {
  ArrowStream stream(&table.stream);
  const Binding binding = bind_arrow(stream, std::move(variables), schema);
  StreamColumns source(stream, column_request(binding));
  return records_of(read_records(source, binding).gathered());
}

ArrowRecords read_csv(const std::string& text, std::vector<DataVariable> variables,
                      const std::string& schema = "") {
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", text));
  BindingRequest request;
  request.variables = std::move(variables);
  request.schema = parse_schema(schema, "s.toml");
  request.header = csv.header();
  const Binding binding = bind_columns(request);
  TextColumns source(csv, column_request(binding));
  return records_of(read_records(source, binding).gathered());
}

// The numbers of a table with one column.
ArrowRecords numbers_in(std::unique_ptr<ArrowArrayOwner> array) {
  ArrowTable table(1);
  array->name = "v";
  array->settle(array->array.length);
  table.add(std::move(array));
  return read_arrow(table, {record_real("v")});
}

ArrowRecords reals(const std::vector<double>& values) {
  ArrowRecords records;
  for (const double value : values) records.push_back(PlainRecord{{value}, {}});
  return records;
}

TEST(ArrowStream, NumbersOfEveryWidthAreRead) {
  EXPECT_EQ(numbers_in(arrow_numbers<std::int8_t>("v", "c", {-5, 7})), reals({-5, 7}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::uint8_t>("v", "C", {250, 7})), reals({250, 7}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::int16_t>("v", "s", {-500, 7})), reals({-500, 7}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::uint16_t>("v", "S", {65000})), reals({65000}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::int32_t>("v", "i", {-70000})), reals({-70000}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::uint32_t>("v", "I", {4000000000u})), reals({4e9}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::int64_t>("v", "l", {-9000000000})), reals({-9e9}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::uint64_t>("v", "L", {3, 1ull << 63})),
            reals({3, 9223372036854775808.0}));
  EXPECT_EQ(numbers_in(arrow_numbers<float>("v", "f", {0.1f})), reals({double{0.1f}}));
  EXPECT_EQ(numbers_in(arrow_numbers<double>("v", "g", {0.1, -2})), reals({0.1, -2}));
  // One, the smallest and the largest finite half.
  EXPECT_EQ(numbers_in(arrow_numbers<std::uint16_t>("v", "e", {0x3C00, 0x0001, 0xFBFF})),
            reals({1, 5.960464477539063e-08, -65504}));
}

TEST(ArrowStream, BooleansAreZeroAndOneAndNothingIsMissing) {
  auto flags = arrow_array("v", "b");
  flags->without_buffer().with(std::vector<std::uint8_t>{0b101}).settle(3);
  EXPECT_EQ(numbers_in(std::move(flags)), reals({1, 0, 1}));
  auto nothing = arrow_array("v", "n");
  nothing->settle(2);
  EXPECT_EQ(numbers_in(std::move(nothing)), (ArrowRecords{std::nullopt, std::nullopt}));
  auto of_polars = arrow_array("v", "n");
  of_polars->without_buffer().settle(2);  // the standard has none
  EXPECT_EQ(numbers_in(std::move(of_polars)), (ArrowRecords{std::nullopt, std::nullopt}));
}

TEST(ArrowStream, OffsetsAndNullsApply) {
  auto numbers = arrow_array("v", "g");
  numbers->with(std::vector<std::uint8_t>{0b11101}).with(std::vector<double>{9, 9, 3, 4, 5});
  numbers->settle(4);
  numbers->array.offset = 1;
  ArrowTable table(1);
  table.add(std::move(numbers));
  table.batch.offset = 1;
  table.batch.length = 3;
  EXPECT_EQ(read_arrow(table, {record_real("v")}), reals({3, 4, 5}));

  auto holes = arrow_array("v", "i");
  holes->with(std::vector<std::uint8_t>{0b101}).with(std::vector<std::int32_t>{1, 2, 3}).settle(3);
  const ArrowRecords read = numbers_in(std::move(holes));
  EXPECT_EQ(read[0], (PlainRecord{{1}, {}}));
  EXPECT_EQ(read[1], std::nullopt);
  EXPECT_EQ(read[2], (PlainRecord{{3}, {}}));
}

std::unique_ptr<ArrowArrayOwner> text_views(const std::string& name) {
  struct View {
    std::int32_t size;
    char bytes[12];
  };
  const std::string outside = "xxa level that is long";
  std::vector<View> views(2);
  views[0].size = 1;
  std::memcpy(views[0].bytes, "a", 1);
  views[1].size = static_cast<std::int32_t>(outside.size() - 2);
  std::memcpy(views[1].bytes, "a le", 4);
  const std::int32_t place[2] = {0, 2};
  std::memcpy(views[1].bytes + 4, place, sizeof place);
  auto owner = arrow_array(name, "vu");
  owner->without_buffer().with(views).with_text(outside).with(
      std::vector<std::int64_t>{static_cast<std::int64_t>(outside.size())});
  owner->settle(2);
  return owner;
}

TEST(ArrowStream, TextsOfEveryKindAreLevels) {
  const std::string schema =
      "[columns.g]\nlevels = [\"a\", \"a level that is long\"]\n[model]\nv = \"g\"\n";
  const std::vector<DataVariable> variables = {record_index("v", "J"), public_size("J")};
  const ArrowRecords expected = {PlainRecord{{}, {1}}, PlainRecord{{}, {2}}};
  const auto read = [&](std::unique_ptr<ArrowArrayOwner> array) {
    ArrowTable table(1);
    table.add(std::move(array));
    return read_arrow(table, variables, schema);
  };
  const std::vector<std::string> texts = {"a", "a level that is long"};
  EXPECT_EQ(read(arrow_texts("g", texts)), expected);
  EXPECT_EQ(read(arrow_texts<std::int64_t>("g", texts)), expected);
  EXPECT_EQ(read(text_views("g")), expected);
  auto coded = arrow_numbers<std::int8_t>("g", "c", {1, 0, 1});
  coded->dictionary = arrow_texts("", {"a level that is long", "a"});
  coded->settle(3);
  EXPECT_EQ(read(std::move(coded)),
            (ArrowRecords{PlainRecord{{}, {1}}, PlainRecord{{}, {2}}, PlainRecord{{}, {1}}}));
}

TEST(ArrowStream, DictionariesOfNumbersAreNumbers) {
  auto coded = arrow_array("v", "l");
  coded->with(std::vector<std::uint8_t>{0b011}).with(std::vector<std::int64_t>{1, 0, 77}).settle(3);
  coded->dictionary = arrow_numbers<double>("", "g", {2.5, -1});
  coded->settle(3);
  const ArrowRecords read = numbers_in(std::move(coded));
  EXPECT_EQ(read, (ArrowRecords{PlainRecord{{-1}, {}}, PlainRecord{{2.5}, {}}, std::nullopt}));
}

TEST(ArrowStream, DecimalsAreTheNumbersThatTheySpell) {
  using Wide = __int128;
  EXPECT_EQ(numbers_in(arrow_numbers<Wide>("v", "d:38,2", {1725, -5, 0, 300})),
            reals({17.25, -0.05, 0, 3}));
  EXPECT_EQ(numbers_in(arrow_numbers<Wide>("v", "d:38,0,128", {Wide{1} << 100})), reals({0x1p100}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::int32_t>("v", "d:9,4,32", {-125000})), reals({-12.5}));
  EXPECT_EQ(numbers_in(arrow_numbers<std::int64_t>("v", "d:18,-3,64", {7, 0})), reals({7000, 0}));
  EXPECT_EQ(decimal_text(-(Wide{1} << 126) * 2, 38), "-1.70141183460469231731687303715884105728");
  for (const std::string format :
       {"d:", "d:9", "d:9,", "d:9,x", "d:9,2,16", "d:9,2,128,1", "d:9,999"}) {
    EXPECT_EQ(arrow_type(format).storage, ArrowStorage::unreadable) << format;
  }
}

TEST(ArrowStream, DatesAreTexts) {
  const auto levels = [&](std::unique_ptr<ArrowArrayOwner> array, const std::string& level) {
    ArrowTable table(1);
    table.add(std::move(array));
    return read_arrow(table, {record_index("v", "J"), public_size("J")},
                      "[columns.d]\nlevels = [\"" + level + "\"]\n[model]\nv = \"d\"\n");
  };
  const ArrowRecords one = {PlainRecord{{}, {1}}};
  EXPECT_EQ(levels(arrow_numbers<std::int32_t>("d", "tdD", {-1}), "1969-12-31"), one);
  EXPECT_EQ(levels(arrow_numbers<std::int64_t>("d", "tdm", {1709164800000}), "2024-02-29"), one);
  EXPECT_EQ(levels(arrow_numbers<std::int64_t>("d", "tss:UTC", {61}), "1970-01-01 00:01:01"), one);
  EXPECT_EQ(levels(arrow_numbers<std::int64_t>("d", "tsn:", {-500000000}), "1969-12-31 23:59:59.5"),
            one);
}

TEST(ArrowStream, GivesTheRecordsOfTheSameCsvFileInSeveralBatches) {
  const std::string schema =
      "[table]\nunit = \"id\"\nmax_rows_per_unit = 2\n[columns.g]\nlevels = [\"a\", \"b\"]\n"
      "[columns.x]\nlower = 0\nupper = 5\n[model]\nv = \"g\"\n";
  const std::vector<DataVariable> variables = {record_real("x"), record_index("v", "J"),
                                               public_size("J")};
  ArrowTable table(4);
  table.add(arrow_numbers<float>("x", "f", {1.5f, 7}))
      .add(arrow_texts("g", {"b", "zzz"}))
      .add(arrow_numbers<std::uint8_t>("id", "C", {7, 8}))
      .add(arrow_array("unused", "+l"));
  table.arrays[3]->settle(2);
  table.add(arrow_numbers<float>("x", "f", {std::numeric_limits<float>::quiet_NaN(), 2, -1}))
      .add(arrow_texts("g", {"a", "a", "b"}))
      .add(arrow_numbers<std::uint8_t>("id", "C", {7, 7, 9}))
      .add(arrow_array("unused", "+l"));
  table.arrays[7]->settle(3);
  EXPECT_EQ(
      read_arrow(table, variables, schema),
      read_csv("x,g,id,unused\n1.5,b,7,\n7,zzz,8,\n,a,7,\n2,a,7,\n-1,b,9,\n", variables, schema));
  EXPECT_EQ(table.released, 4);  // schema, two batches and the stream
}

TEST(ArrowStream, LongBatchesAreReadWhole) {
  std::vector<std::int32_t> values(200'001);
  std::vector<double> expected(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int32_t>(i);
    expected[i] = values[i];
  }
  EXPECT_EQ(numbers_in(arrow_numbers("v", "i", values)), reals(expected));
}

std::string refusal_of(std::unique_ptr<ArrowArrayOwner> array, const std::string& schema = "") {
  ArrowTable table(1);
  table.add(std::move(array));
  std::vector<DataVariable> variables = {record_real("v")};
  if (!schema.empty()) variables = {record_index("v", "J"), public_size("J")};
  return error_text([&] { read_arrow(table, variables, schema); });
}

TEST(ArrowStream, TypesThatCanNeverBeReadAreRefusedByTheirDeclaration) {
  EXPECT_EQ(refusal_of(arrow_numbers<std::int64_t>("v", "d:76,2,256", {1, 2, 3, 4})),
            "error[DP340] column 'v' holds decimals; a program takes numbers, texts, Booleans and "
            "dates. Convert the column to double precision.");
  EXPECT_EQ(refusal_of(arrow_numbers<std::int32_t>("v", "tdD", {19000})),
            "error[DP340] column 'v' holds dates; the program takes a number. Declare type = "
            "\"date\" in the schema, which reads days since a public date.");
  auto flags = arrow_array("v", "b");
  flags->without_buffer().with(std::vector<std::uint8_t>{1}).settle(1);
  EXPECT_EQ(refusal_of(std::move(flags), "[columns.v]\nlevels = [\"no\", \"yes\"]\n"),
            "error[DP340] column 'v' holds Booleans; these are read as 0 and 1, which the declared "
            "levels do not list. Declare levels = [\"0\", \"1\"], or type = \"int\".");
}

std::string code_of(const std::string& text) { return text.substr(0, 12); }

// Guarantee: whatever the structs of a producer say, reading
TEST(ArrowStream, DamagedArraysAreRefused) {
  const auto damaged = [&](const std::function<void(ArrowArrayOwner&)>& damage) {
    auto array = arrow_texts("v", {"secret", "12"});
    damage(*array);
    const std::string text = refusal_of(std::move(array));
    EXPECT_EQ(text.find("secret"), std::string::npos);
    return code_of(text);
  };
  const std::string refused = "error[DP327]";
  EXPECT_EQ(damaged([](auto& a) { a.array.length = -1; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.array.offset = -1; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.array.offset = std::numeric_limits<std::int64_t>::max(); }),
            refused);
  EXPECT_EQ(damaged([](auto& a) { a.array.n_buffers = 2; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.array.n_buffers = -3; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.array.buffers = nullptr; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.buffers[1] = nullptr; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.buffers[2] = nullptr; }), refused);
  EXPECT_EQ(damaged([](auto& a) { a.schema.format = nullptr; }), refused);
  EXPECT_EQ(code_of(refusal_of(arrow_numbers<std::int8_t>("\xE9", "c", {1}))), "error[DP326]");
  for (const std::vector<std::int32_t>& offsets :
       {std::vector<std::int32_t>{-1, 6, 8}, {0, -6, 8}, {6, 0, 8}, {0, 6, 5}}) {
    EXPECT_EQ(damaged([&](auto& a) {
                a.with(offsets);
                a.buffers[1] = a.buffers[3];
              }),
              refused);
  }
}

TEST(ArrowStream, DamagedDictionariesAndViewsAreRefused) {
  const auto coded = [](const std::vector<std::int32_t>& codes) {
    auto array = arrow_numbers("v", "i", codes);
    array->dictionary = arrow_texts("", {"secret", "12"});
    array->settle(static_cast<std::int64_t>(codes.size()));
    return array;
  };
  EXPECT_EQ(code_of(refusal_of(coded({0, 2}))), "error[DP327]");
  EXPECT_EQ(code_of(refusal_of(coded({-1}))), "error[DP327]");
  auto lost = coded({1});
  lost->array.dictionary = nullptr;
  EXPECT_EQ(code_of(refusal_of(std::move(lost))), "error[DP327]");
  auto short_dictionary = coded({1});
  short_dictionary->dictionary->array.length = -2;
  EXPECT_EQ(code_of(refusal_of(std::move(short_dictionary))), "error[DP327]");

  const auto views = [](std::size_t word, std::int32_t value) {
    auto array = text_views("v");
    // A view has four words: size, first letters, buffer, place.
    std::memcpy(array->bytes[0].data() + 16 + 4 * word, &value, sizeof value);
    return code_of(refusal_of(std::move(array)));
  };
  EXPECT_EQ(views(0, -1), "error[DP327]");
  EXPECT_EQ(views(0, 4000), "error[DP327]");
  EXPECT_EQ(views(2, 1), "error[DP327]");
  EXPECT_EQ(views(2, -1), "error[DP327]");
  EXPECT_EQ(views(3, -1), "error[DP327]");
  EXPECT_EQ(views(3, 10), "error[DP327]");
}

TEST(ArrowStream, DamagedTablesAreRefused) {
  const auto refused = [](const std::function<void(ArrowTable&)>& damage) {
    ArrowTable table(1);
    table.add(arrow_numbers<double>("v", "g", {1, 2}));
    damage(table);
    return error_text([&] { read_arrow(table, {record_real("v")}); });
  };
  EXPECT_EQ(code_of(refused([](auto& t) { t.root.format = "g"; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.root.n_children = -1; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.stream.release = nullptr; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.batch.length = -1; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.batch.length = 3; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.batch.offset = 1; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) { t.batch.n_children = 2; })), "error[DP327]");
  EXPECT_EQ(code_of(refused([](auto& t) {
              t.arrays[0]->name = "";
              t.arrays[0]->settle(2);
            })),
            "error[DP324]");
}

TEST(ArrowStream, WhatTheProducerSaysIsNotRepeated) {
  ArrowTable table(1);
  table.add(arrow_numbers<double>("v", "g", {1, 2}));
  table.error_after = 0;
  table.last_error = "cannot convert 'Ann Smith'";
  const std::string text = error_text([&] { read_arrow(table, {record_real("v")}); });
  EXPECT_EQ(code_of(text), "error[DP327]");
  EXPECT_EQ(text.find("Ann"), std::string::npos);
  EXPECT_EQ(table.released, 2);  // schema and stream
}

TEST(ArrowStream, EmptyTablesHaveNoRecords) {
  ArrowTable table(1);
  table.add(arrow_numbers<double>("v", "g", {}));
  EXPECT_TRUE(read_arrow(table, {record_real("v")}).empty());
}

}  // namespace
}  // namespace dpvi
