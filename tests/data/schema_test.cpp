#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/data/schema.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

std::string refusal(std::string_view text) {
  return error_text([&] { parse_schema(text, "s.toml"); });
}

constexpr const char* kEveryKey = R"(
[table]
rows = 20000
missing = ["", "-9"]

[columns.age]
type = "real"
lower = 0
upper = 110
mean = 60
sd = 15.5
standardise = true
if_missing = 50

[columns.hospital]
type = "category"
levels = ["North", "South"]
coding = "one-hot"
if_missing = "South"

[columns.visits]
type = "int"
upper = 9
if_missing = "drop"

[model]
records = "n"
y = "died"
x = ["age", "hospital"]

[public]
K = 3
tau = [[1, 2.5], [3, 4]]
)";

TEST(Schema, EveryKeyIsRead) {
  const Schema schema = parse_schema(kEveryKey, "s.toml");
  EXPECT_EQ(schema.rows, 20000);
  EXPECT_EQ(schema.missing, (std::vector<std::string>{"", "-9"}));
  const ColumnSchema& age = *schema.find_column("age");
  EXPECT_EQ(age.type, ColumnType::real);
  EXPECT_EQ(age.lower, 0.0);
  EXPECT_EQ(age.upper, 110.0);
  EXPECT_EQ(age.mean, 60.0);
  EXPECT_EQ(age.sd, 15.5);
  EXPECT_TRUE(age.standardise);
  EXPECT_EQ(age.value_if_missing, 50.0);
  const ColumnSchema& hospital = *schema.find_column("hospital");
  EXPECT_EQ(hospital.type, ColumnType::category);
  EXPECT_EQ(hospital.levels, (std::vector<std::string>{"North", "South"}));
  EXPECT_EQ(hospital.coding, Coding::one_hot);
  EXPECT_EQ(hospital.value_if_missing, 2.0);
  const ColumnSchema& visits = *schema.find_column("visits");
  EXPECT_EQ(visits.type, ColumnType::integer);
  EXPECT_EQ(visits.value_if_missing, std::nullopt);
  EXPECT_EQ(schema.records, "n");
  EXPECT_EQ(schema.bindings.at("y").columns, std::vector<std::string>{"died"});
  EXPECT_EQ(schema.bindings.at("x").columns, (std::vector<std::string>{"age", "hospital"}));
  EXPECT_EQ(schema.public_values.at("K").numbers, std::vector<double>{3});
  EXPECT_TRUE(schema.public_values.at("K").integers);
  EXPECT_EQ(schema.public_values.at("tau").dimensions, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(schema.public_values.at("tau").numbers, (std::vector<double>{1, 2.5, 3, 4}));
  EXPECT_FALSE(schema.public_values.at("tau").integers);
}

TEST(Schema, EmptyTextDeclaresNothing) {
  const Schema schema = parse_schema("", "s.toml");
  EXPECT_TRUE(schema.columns.empty());
  EXPECT_EQ(schema.missing, (std::vector<std::string>{"", "NA", "NaN"}));
}

TEST(Schema, TextThatIsNotTomlIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("[table]\nrows = = 3\n").substr(0, 31), "error[DP310] s.toml:2:8: not TO");
}

TEST(Schema, UnknownKeysAreRefusedWithTheNearestName) {
  EXPECT_EQ(refusal("[table]\nrow = 3\n"),
            "error[DP311] s.toml:2:1: unknown key table.row. Did you mean 'rows'?");
  EXPECT_EQ(refusal("[columns.age]\nstandardize = true\n"),
            "error[DP311] s.toml:2:1: unknown key columns.age.standardize. Did you mean "
            "'standardise'?");
  EXPECT_EQ(refusal("[colums.age]\n"),
            "error[DP311] s.toml:1:2: unknown key colums. Did you mean 'columns'?");
  EXPECT_EQ(refusal("[table]\nkeys = \"id\"\n"),
            "error[DP311] s.toml:2:1: unknown key table.keys. Known keys: rows, missing, unit, "
            "max_rows_per_unit, one_row_per_person, decimal_mark, thousands_mark, trim.");
}

TEST(Schema, WrongTypesAreRefusedWithTheLineToWrite) {
  EXPECT_EQ(refusal("table = 3"),
            "error[DP312] s.toml:1:9: table is 3; it must be a table. Write [table].");
  EXPECT_EQ(refusal("[columns]\nage = 3"),
            "error[DP312] s.toml:2:7: columns.age is 3; it must be a table. Write [columns.age].");
  EXPECT_EQ(refusal("[columns.a]\nlower = \"0\""),
            "error[DP312] s.toml:2:9: columns.a.lower is '0'; it must be a finite number. Write "
            "lower = 0.");
  EXPECT_EQ(refusal("[columns.a]\nlower = true").substr(0, 44),
            "error[DP312] s.toml:2:9: columns.a.lower is ");
  EXPECT_NE(refusal("[columns.a]\nupper = inf").find("must be a finite number"), std::string::npos);
  EXPECT_EQ(refusal("[columns.a]\nstandardise = 1"),
            "error[DP312] s.toml:2:15: columns.a.standardise is 1; it must be true or false. Write "
            "standardise = true.");
  EXPECT_EQ(refusal("[columns.a]\ntype = \"reel\""),
            "error[DP312] s.toml:2:8: columns.a.type is 'reel'; it must be one of real, int, "
            "category, date. Write type = \"real\".");
  EXPECT_EQ(refusal("[columns.a]\nlevels = [1, 2]"),
            "error[DP312] s.toml:2:10: columns.a.levels is [ 1, 2 ]; it must be a list of strings. "
            "Write levels = [\"a\", \"b\"], numbers in quotes too.");
  EXPECT_EQ(refusal("[table]\nrows = 0"),
            "error[DP312] s.toml:2:8: table.rows is 0; it must be a whole number of at least 1. "
            "Write the approximate number of rows.");
  EXPECT_NE(refusal("[model]\ny = 3").find("model.y is 3; it must be a list of strings"),
            std::string::npos);
  EXPECT_NE(refusal("[public]\nK = \"3\"").find("it must be a number or lists of numbers"),
            std::string::npos);
  EXPECT_NE(refusal("[public]\nK = [[1], [2, 3]]").find("of equal lengths"), std::string::npos);
  EXPECT_NE(refusal("[public]\nK = [1, [2]]").find("of equal lengths"), std::string::npos);
}

TEST(Schema, AUnitNeedsARowLimit) {
  const Schema schema = parse_schema("[table]\nunit = \"id\"\nmax_rows_per_unit = 4\n", "s.toml");
  EXPECT_EQ(schema.unit->column, "id");
  EXPECT_EQ(schema.unit->max_rows, 4u);
  EXPECT_EQ(schema.unit->place.line, 2);
  EXPECT_EQ(refusal("[table]\nunit = \"id\"\n"),
            "error[DP313] s.toml:2:8: table.unit needs table.max_rows_per_unit beside it. Write "
            "max_rows_per_unit = 4, or another limit; the first rows of each unit are used.");
  EXPECT_EQ(refusal("[table]\nmax_rows_per_unit = 4\n"),
            "error[DP313] s.toml:2:21: table.max_rows_per_unit needs table.unit beside it. Write "
            "unit = \"...\" with the column that identifies the unit.");
  for (const char* most : {"0", "-1", "2.0", "\"4\"", "2147483648"}) {
    const std::string text =
        refusal(std::string("[table]\nunit = \"id\"\nmax_rows_per_unit = ") + most);
    EXPECT_NE(text.find("it must be a whole number of at least 1."), std::string::npos) << text;
  }
}

TEST(Schema, ValuesOutsideTheirRulesAreRefused) {
  EXPECT_EQ(refusal("[columns.a]\nlower = 2\nupper = 1"),
            "error[DP312] s.toml:2:9: columns.a.lower is 2; it must not exceed upper, which is 1. "
            "Swap them.");
  EXPECT_EQ(refusal("[columns.a]\nsd = 0"),
            "error[DP312] s.toml:2:6: columns.a.sd is 0; it must be greater than 0. Write sd = 1.");
  EXPECT_EQ(refusal("[columns.a]\nlevels = [\"x\", \"y\", \"x\"]"),
            "error[DP312] s.toml:2:10: columns.a.levels is [ 'x', 'y', 'x' ]; the level 'x' is "
            "listed twice. Remove one.");
  EXPECT_EQ(refusal("[columns.a]\nlevels = []"),
            "error[DP312] s.toml:2:10: columns.a.levels is []; a category needs at least one "
            "level. List them.");
  EXPECT_EQ(refusal("[columns.a]\ntype = \"int\"\nupper = 1.5"),
            "error[DP312] s.toml:3:9: columns.a.upper is 1.5; it must be an integer because the "
            "column is one. Remove the fraction.");
  EXPECT_EQ(refusal("[columns.a]\nif_missing = \"mean\""),
            "error[DP312] s.toml:2:14: columns.a.if_missing is 'mean'; it must be \"drop\" or a "
            "number. Write if_missing = \"drop\".");
  EXPECT_EQ(refusal("[columns.a]\nupper = 1\nif_missing = 2"),
            "error[DP312] s.toml:3:14: columns.a.if_missing is 2; it must lie between lower and "
            "upper. Change one of them.");
  EXPECT_EQ(refusal("[columns.a]\nlevels = [\"x\"]\nif_missing = \"y\""),
            "error[DP312] s.toml:3:14: columns.a.if_missing is 'y'; it must be \"drop\" or one of "
            "the levels. Write if_missing = \"drop\".");
}

TEST(Schema, ContradictionsAreRefused) {
  EXPECT_EQ(refusal("[columns.a]\nstandardise = true\nmean = 3"),
            "error[DP313] s.toml:1:1: columns.a: standardise needs mean and sd; they are never "
            "computed from the data. Write mean = ... and sd = ... with public values.");
  EXPECT_EQ(refusal("[columns.a]\ntype = \"category\""),
            "error[DP313] s.toml:1:1: columns.a: a category needs its levels; they are never read "
            "from the data. Write levels = [\"...\", \"...\"] or levels_file = \"...\".");
  EXPECT_NE(refusal("[columns.a]\nlevels = [\"x\"]\nmean = 2").find("mean does not apply"),
            std::string::npos);
  EXPECT_NE(refusal("[columns.a]\ntype = \"real\"\nlevels = [\"x\"]")
                .find("levels applies to categories"),
            std::string::npos);
  EXPECT_NE(refusal("[columns.a]\ntype = \"real\"\ncoding = \"dummy\"")
                .find("coding applies to categories"),
            std::string::npos);
  EXPECT_NE(refusal("[columns.a]\nlevels = [\"x\"]\nlevels_file = \"f\"").find("Keep one"),
            std::string::npos);
  EXPECT_EQ(refusal("[columns.a]\nlevels = [\"x\", \"NA\"]"),
            "error[DP313] s.toml:1:1: columns.a: the level 'NA' also means missing. Remove the "
            "level, or write [table] missing without it.");
}

TEST(Schema, LevelsMayComeFromAFileBesideTheSchema) {
  const TemporaryFolder folder;
  folder.write("hospitals.txt", "\xEF\xBB\xBFNorth\r\nSouth, old\n");
  const std::string path = folder.write("s.toml", "[columns.h]\nlevels_file = \"hospitals.txt\"\n");
  EXPECT_EQ(read_schema(path).find_column("h")->levels,
            (std::vector<std::string>{"North", "South, old"}));
  folder.write("hospitals.txt", "North\n\nSouth\n");
  EXPECT_EQ(error_text([&] { read_schema(path); }, path),
            "error[DP312] hospitals.txt:2: a level is empty; there is one level per line. Remove "
            "the empty line.");
  folder.write("hospitals.txt", "");
  EXPECT_NE(error_text([&] { read_schema(path); }, path).find("needs at least one level"),
            std::string::npos);
  const std::string other = folder.write("t.toml", "[columns.h]\nlevels_file = \"none.txt\"\n");
  EXPECT_NE(error_text<MissingInputError>([&] { read_schema(other); }).find("DP301"),
            std::string::npos);
}

TEST(Schema, AFileOfLevelsThatMayBeTheTableIsRefusedWithoutQuotingIt) {
  const TemporaryFolder folder;
  const std::string path = folder.write("s.toml", "[columns.h]\nlevels_file = \"l.txt\"\n");
  const auto refused = [&](const std::string& content) {
    folder.write("l.txt", content);
    std::string text = error_text([&] { read_schema(path); }, path);
    EXPECT_NE(text.find("error[DP312] l.txt"), std::string::npos) << text;
    EXPECT_EQ(text.find("Smith"), std::string::npos) << text;
    return text;
  };
  EXPECT_NE(
      refused("Jones\nSmith\nSmith\n").find("l.txt:3: this line repeats the level of line 2."),
      std::string::npos);
  for (const char* table : {"id,name,sex\n17,Smith,F\n18,Jones,M\n", "id;name\n17;Smith\n",
                            "id\tname\n17\tSmith\n", "id|name\n17|Smith\n"}) {
    EXPECT_NE(refused(table).find("looks like a table"), std::string::npos);
  }
  refused(std::string("a\nSmith\0\n", 9));
  folder.write("l.txt", "Yes, always\nNo, never\n");
  EXPECT_EQ(read_schema(path).find_column("h")->levels.size(), 2u);
}

TEST(Schema, SharesOfLevelsAreChecked) {
  const Schema schema =
      parse_schema("[columns.a]\nlevels = [\"x\", \"y\"]\nshares = [0.7, 0.31]\n", "s.toml");
  ASSERT_EQ(schema.find_column("a")->shares.size(), 2u);
  EXPECT_NEAR(schema.find_column("a")->shares[0], 0.7 / 1.01, 1e-12);
  const std::string levels = "[columns.a]\nlevels = [\"x\", \"y\"]\nshares = ";
  for (const char* wrong : {"[1.0]", "[0.5, 0.3, 0.2]", "[1.2, -0.2]", "[1, 0]", "\"0.5\""}) {
    EXPECT_NE(refusal(levels + wrong).find("a list of 2 positive numbers"), std::string::npos)
        << wrong;
  }
  EXPECT_NE(refusal(levels + "[0.5, 0.3]").find("add up to 0.8"), std::string::npos);
  EXPECT_NE(refusal("[columns.a]\nshares = [1]").find("levels, which are not given"),
            std::string::npos);
}

TEST(Schema, AFileThatMayBeTheTableIsNotQuoted) {
  for (const char* text :
       {"id,name\n17,Smith\n", "Smith,John\n", "Smith = 3\n", "[Smith]\nage = 3\n", "Smith\n",
        "[[table]]\nname = \"Smith\"\n", "[{\"name\": \"Smith\"}]", "name = Smith\n",
        "17 = Smith\n", "name = 'Smith\n", "inSmith = infSmith\n"}) {
    const std::string refused = refusal(text);
    EXPECT_NE(refused.find("error[DP31"), std::string::npos) << text;
    EXPECT_EQ(refused.find("mith"), std::string::npos) << refused;
  }
}

}  // namespace
}  // namespace dpvi
