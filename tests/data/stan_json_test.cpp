#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <dpvi/data/stan_json.hpp>
#include <tests/support/error_text.hpp>

namespace dpvi {
namespace {

using Extents = std::vector<std::size_t>;

JsonData parse(std::string_view text) { return parse_stan_json(text, "d.json"); }

std::string refusal(std::string_view text) {
  return error_text([&] { parse(text); });
}

PublicValue value(std::string_view text) {
  return public_value("v", parse("{\"v\": " + std::string(text) + "}").at("v"));
}

TEST(StanJson, ScalarsListsAndNestedListsKeepTheirShapeAndOrder) {
  EXPECT_EQ(value("3").dimensions, Extents{});
  EXPECT_EQ(value("3").numbers, std::vector<double>{3});
  EXPECT_EQ(value("[1, 2]").dimensions, Extents{2});
  const PublicValue matrix = value("[[1, 2, 3], [4, 5, 6]]");
  EXPECT_EQ(matrix.dimensions, (Extents{2, 3}));
  EXPECT_EQ(matrix.numbers, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(value("[[[1], [2]]]").dimensions, (Extents{1, 2, 1}));
}

TEST(StanJson, ListsWithoutElementsKeepWhatTheySay) {
  EXPECT_EQ(value("[]").dimensions, Extents{0});
  EXPECT_EQ(value("[[], []]").dimensions, (Extents{2, 0}));
  EXPECT_EQ(value("[[[]]]").dimensions, (Extents{1, 1, 0}));
}

TEST(StanJson, IntegersAreToldFromReals) {
  EXPECT_TRUE(value("[1, -2]").integers);
  EXPECT_FALSE(value("[1, 2.0]").integers);
  EXPECT_FALSE(value("1e3").integers);
}

TEST(StanJson, NonFiniteNumbersComeAsWordsOrBare) {
  const std::vector<double> numbers =
      value("[NaN, \"NaN\", Infinity, -Infinity, \"Inf\", \"-Inf\", \"+Inf\", 1e400]").numbers;
  EXPECT_TRUE(std::isnan(numbers[0]));
  EXPECT_TRUE(std::isnan(numbers[1]));
  for (const std::size_t i : {2u, 4u, 6u, 7u}) EXPECT_EQ(numbers[i], HUGE_VAL) << i;
  for (const std::size_t i : {3u, 5u}) EXPECT_EQ(numbers[i], -HUGE_VAL) << i;
}

TEST(StanJson, NumbersReadExactly) {
  EXPECT_EQ(value("[0.1,1e-320,-0,123456789012345678]").numbers,
            (std::vector<double>{0.1, 1e-320, -0.0, 123456789012345678.0}));
}

TEST(StanJson, PlaceOfAVariableIsItsName) {
  const JsonData data = parse("{\"a\": 1,\n  \"b\": [2]}");
  EXPECT_EQ(data.at("b").place.line, 2);
  EXPECT_EQ(data.at("b").place.column, 3);
}

TEST(StanJson, UnequalListsAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("{\"x\": [[1, 2],\n [3]]}"),
            "error[DP331] d.json:2:4: the lists of this variable have unequal lengths. Correct the "
            "file.");
  for (const char* text : {"[1, [2]]", "[[1], 2]", "[[], [1]]", "[[1], []]", "[[], 1]", "[1, []]",
                           "[[1], [[2]]]", "[[[]], []]", "[[], [[]]]"}) {
    EXPECT_NE(refusal("{\"x\": " + std::string(text) + "}").find("DP331"), std::string::npos)
        << text;
  }
}

TEST(StanJson, TextThatIsNotStanDataIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("{\"a\": 1, \"a\": 2}").substr(0, 36), "error[DP330] d.json:1:13: the name t");
  EXPECT_EQ(refusal("{\"a\": 1,\n}"),
            "error[DP330] d.json:2:1: not JSON: Missing a name for object member. Correct the "
            "file.");
  EXPECT_EQ(refusal("[1, 2]"),
            "error[DP330] d.json:1:1: the data must be one object: {\"N\": 3, ...}. Correct the "
            "file.");
  for (const char* text : {"", "3", "\"a\"", "{\"a\": 1} x", "{\"a\": {\"b\": 1}}", "{\"a\" 1}",
                           "{\"a\": [1, 2}", "{\"a\": [1", "{\"a\": \"x}", "{a: 1}", "{12: 1}",
                           "{\"a\": 1} {\"b\": 1}", "{\"a\": 1 2}", "{\"a\": 12\"x\"}"}) {
    EXPECT_NE(refusal(text).find("error[DP330] d.json:"), std::string::npos) << text;
  }
  EXPECT_NE(refusal(std::string("{\"a\": 1}\0", 9)).find("NUL"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": " + std::string(100000, '[')).find("too deeply"), std::string::npos);
}

TEST(StanJson, CellsThatAreNoNumbersAreKeptAsText) {
  const JsonVariable list = parse(R"({"v": ["a\"b\u00e4", null, true, "7", -1.50]})").at("v");
  EXPECT_EQ(list.cell(0), "a\"b\xc3\xa4");
  EXPECT_EQ(list.cell(1), "");
  EXPECT_EQ(list.cell(2), "true");
  EXPECT_EQ(list.cell(3), "7");
  EXPECT_EQ(list.cell(4), "-1.50");
  EXPECT_EQ(error_text([] { value("[1, \"x\"]"); }),
            "error[DP333] d.json:1:2: 'v' has an element that is not a number. Write numbers, "
            "\"NaN\", \"Inf\" or \"-Inf\".");
}

// Guarantee: the contents of a string or bare word never decide whether a file is accepted.
TEST(StanJson, NothingInACellDecidesWhetherTheFileIsRead) {
  using namespace std::string_literals;
  for (const std::string& cell : {R"("\ud800")"s,
                                  R"("\udc00")"s,
                                  R"("\ud800x")"s,
                                  R"("\ud800\ud800")"s,
                                  R"("\ud83d\u0041")"s,
                                  R"("\ud83d\")"s + "\""s,
                                  R"("\u12G4")"s,
                                  R"("\u")"s,
                                  R"("\x41")"s,
                                  R"("\")"s + "\""s,
                                  "\"a\0b\""s,
                                  "\"a\nb\""s,
                                  "\"a\tb\""s,
                                  "\"\x01\x1f\""s,
                                  "\"\xff\xfe\""s,
                                  "1.2.3"s,
                                  "Nope"s,
                                  "-"s,
                                  "+5"s,
                                  ".5"s,
                                  "0x10"s,
                                  "01"s,
                                  "nan"s,
                                  "None"s,
                                  "True"s,
                                  "12abc"s,
                                  "1_000"s,
                                  "1e400"s}) {
    const JsonData data = parse("{\"v\": [1, " + cell + ", 3], \"w\": 2}");
    EXPECT_EQ(data.at("v").size(), 3u) << cell;
    EXPECT_EQ(data.at("v").cell(2), "3") << cell;
    EXPECT_EQ(data.at("w").cell(0), "2") << cell;
  }
  EXPECT_EQ(parse(R"({"v": ["\ud83d\ude00"]})").at("v").cell(0), "\xf0\x9f\x98\x80");
  EXPECT_EQ(parse(R"({"v": ["a\\", "\\\"b"]})").at("v").cell(1), "\\\"b");
}

// Guarantee: the contents of a string or bare word never decide whether a file is accepted, and no
// message quotes the file.
TEST(StanJson, NoMessageQuotesTheFile) {
  for (const char* text :
       {R"({"Smith": 1, "Smith": 2})", R"({"Smith": [1, [2]]})", R"({"Smith": {"age": 3}})",
        R"([{"name": "Smith"}])", R"({"Smith": [1 "Smith"]})", R"(Smith,John)", R"("Smith")",
        R"({"Smith")", R"({Smith: 1})"}) {
    const std::string refused = refusal(text);
    EXPECT_NE(refused, "") << text;
    EXPECT_EQ(refused.find("Smith"), std::string::npos) << refused;
  }
}

}  // namespace
}  // namespace dpvi
