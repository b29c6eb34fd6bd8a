#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/error_text.hpp>

namespace dpvi {
namespace {

using Names = std::vector<std::string>;

BindingRequest request_for(std::vector<DataVariable> variables, Names header,
                           const std::string& schema = "") {
  BindingRequest request;
  request.variables = std::move(variables);
  request.variables.push_back(public_size("N"));
  request.schema = parse_schema(schema, "s.toml");
  request.header = std::move(header);
  request.table_file = "d.csv";
  return request;
}

std::string refusal(const BindingRequest& request) {
  return error_text([&] { bind_columns(request); });
}

Names columns_of(const Binding& binding) {
  Names names;
  for (const BoundColumn& column : binding.columns) names.push_back(column.name);
  return names;
}

double size_of(const Binding& binding, const std::string& name) {
  return binding.public_data.at(name).numbers.at(0);
}

TEST(Binding, ScalarsBindToTheColumnOfTheirName) {
  const Binding binding =
      bind_columns(request_for({record_real("age"), record_int("visits"), record_real("dose")},
                               {"id", "visits", "dose", "age"}));
  EXPECT_EQ(columns_of(binding), (Names{"age", "visits", "dose"}));
  EXPECT_EQ(binding.columns[0].position, 3u);
  EXPECT_EQ(binding.columns[1].position, 1u);
  EXPECT_EQ(binding.real_slots.size(), 2u);
  EXPECT_EQ(binding.real_slots[1].column, 2u);
  EXPECT_EQ(binding.integer_slots.size(), 1u);
  EXPECT_EQ(binding.variables[2].first_slot, 1u);
}

constexpr const char* kUnit = "[table]\nunit = \"id\"\nmax_rows_per_unit = 4\n";

TEST(Binding, TheUnitsColumnIsFoundInTheHeaderAndBoundToNothing) {
  const Binding binding = bind_columns(request_for({record_real("age")}, {"age", "id"}, kUnit));
  EXPECT_EQ(binding.unit->name, "id");
  EXPECT_EQ(binding.unit->position, 1u);
  EXPECT_EQ(binding.unit->max_rows, 4u);
  EXPECT_EQ(columns_of(binding), (Names{"age"}));
  EXPECT_EQ(binding.public_facts[0].name, "unit");
  EXPECT_EQ(refusal(request_for({record_real("age")}, {"age", "ID"}, kUnit)),
            "error[DP321] s.toml:2:8: column 'id' is not in the header of d.csv. Column 2 differs "
            "from it only in case or blanks. The header has 2 names, not shown because the first "
            "line may be a record.");
  BindingRequest part = request_for({record_real("age")}, {"age"}, kUnit);
  part.only = {"age"};
  EXPECT_EQ(columns_of(bind_columns(part)), (Names{"age"}));
  EXPECT_FALSE(bind_columns(part).unit.has_value());
}

TEST(Binding, AProgramThatReadsTheUnitsColumnIsRefused) {
  const std::string by_name =
      refusal(request_for({record_index("id", "J"), public_size("J")}, {"id"}, kUnit));
  EXPECT_EQ(by_name.substr(0, 135),
            "error[DP340] 'id' (array[N] int<lower=1, upper=J>) reads column 'id', which is the "
            "unit of privacy: a result must not distinguish units");
  const std::string by_schema = refusal(
      request_for({record_real("age")}, {"id"}, std::string(kUnit) + "[model]\nage = \"id\"\n"));
  EXPECT_EQ(by_schema.substr(0, 60),
            "error[DP340] s.toml:5:7: 'age' (vector[N]) reads column 'id'");
}

TEST(Binding, WidthFollowsFromIndexedColumns) {
  for (const Names& header : {Names{"x.2", "x.10", "y", "x.1"}, Names{"x[2]", "x[1]", "x[3]"}}) {
    BindingRequest request = request_for({record_matrix("x", "K"), public_size("K")}, header);
    if (header[1] == "x.10") {
      EXPECT_EQ(refusal(request),
                "error[DP321] d.csv:1: column 'x.3' is not in the header of d.csv. Column 1 has a "
                "similar name. The header has 4 names, not shown because the first line may be a "
                "record.");
      continue;
    }
    const Binding binding = bind_columns(request);
    EXPECT_EQ(columns_of(binding), (Names{"x[1]", "x[2]", "x[3]"}));
    EXPECT_EQ(size_of(binding, "K"), 3);
    EXPECT_EQ(binding.variables[0].dimensions, std::vector<std::size_t>{3});
  }
}

TEST(Binding, MatrixPerRowBindsToTwoIndicesWithTheLastFastest) {
  DataVariable variable = record_variable("m", BaseType::real, "array[N] matrix[R, C]");
  variable.dimensions = {DeclaredNumber::size_plus("R"), DeclaredNumber::size_plus("C", 1)};
  const Binding binding =
      bind_columns(request_for({variable, public_size("R"), public_size("C")},
                               {"m.2.3", "m.1.1", "m.1.2", "m.1.3", "m.2.1", "m.2.2"}));
  EXPECT_EQ(columns_of(binding), (Names{"m.1.1", "m.1.2", "m.1.3", "m.2.1", "m.2.2", "m.2.3"}));
  EXPECT_EQ(binding.variables[0].dimensions, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(size_of(binding, "R"), 2);
  EXPECT_EQ(size_of(binding, "C"), 2);
}

TEST(Binding, ListInTheSchemaNamesTheColumnsAndCategoriesBecomeDummies) {
  const Binding binding = bind_columns(request_for(
      {record_binary("y"), record_matrix("x", "K"), public_size("K")}, {"age", "ward", "died"},
      "[columns.age]\nmean = 60\nsd = 10\nstandardise = true\nupper = 100\n"
      "[columns.ward]\nlevels = [\"a\", \"b\", \"c\"]\n"
      "[model]\ny = \"died\"\nx = [\"age\", \"ward\"]\n"));
  EXPECT_EQ(size_of(binding, "K"), 3);
  ASSERT_EQ(binding.real_slots.size(), 3u);
  EXPECT_EQ(binding.real_slots[0].subtract, 60);
  EXPECT_EQ(binding.real_slots[0].divide, 10);
  EXPECT_EQ(binding.real_slots[0].facts.mean, 0.0);
  EXPECT_EQ(binding.real_slots[0].facts.sd, 1.0);
  EXPECT_EQ(binding.real_slots[0].facts.upper, 4.0);
  EXPECT_EQ(binding.real_slots[1].level, 2u);
  EXPECT_EQ(binding.real_slots[2].level, 3u);
  EXPECT_EQ(binding.integer_slots[0].lower, 0);
  EXPECT_EQ(binding.integer_slots[0].upper, 1);
}

TEST(Binding, OneHotGivesEveryLevelASlot) {
  const Binding binding =
      bind_columns(request_for({record_matrix("x", "K"), public_size("K")}, {"ward"},
                               "[columns.ward]\nlevels = [\"a\", \"b\"]\ncoding = \"one-hot\"\n"
                               "[model]\nx = [\"ward\"]\n"));
  EXPECT_EQ(size_of(binding, "K"), 2);
  EXPECT_EQ(binding.real_slots[0].level, 1u);
}

TEST(Binding, UpperBoundOfAnIndexFollowsFromTheLevels) {
  const std::string schema = "[columns.g]\nlevels = [\"a\", \"b\", \"c\"]\n";
  const Binding binding =
      bind_columns(request_for({record_index("g", "J"), public_size("J")}, {"g"}, schema));
  EXPECT_EQ(size_of(binding, "J"), 3);
  EXPECT_EQ(binding.integer_slots[0].upper, 3);
  EXPECT_EQ(refusal(request_for({record_index("g", "J"), public_size("J")}, {"g"},
                                schema + "[public]\nJ = 2\n")),
            "error[DP340] s.toml:1:1: the 3 levels of column 'g' have codes 1 to 3; 'g' (array[N] "
            "int<lower=1, upper=J>) does not allow all of them. Change the levels or the program's "
            "bounds.");
  EXPECT_EQ(refusal(request_for({record_binary("g")}, {"g"},
                                "[columns.g]\nlevels = [\"no\", \"yes\"]\n")),
            "error[DP340] s.toml:1:1: the 2 levels of column 'g' have codes 1 to 2; 'g' (array[N] "
            "int<lower=0, upper=1>) does not allow all of them. Write coding = \"dummy\" for 0 and "
            "1.");
}

TEST(Binding, TwoLevelsAsDummyAreZeroAndOne) {
  const Binding binding =
      bind_columns(request_for({record_binary("y")}, {"y"},
                               "[columns.y]\nlevels = [\"no\", \"yes\"]\ncoding = \"dummy\"\n"));
  ASSERT_EQ(binding.integer_slots.size(), 1u);
  EXPECT_EQ(binding.integer_slots[0].level, 2u);
}

TEST(Binding, UndeclaredSizeIsRefusedWithTheLineToAdd) {
  EXPECT_EQ(refusal(request_for({record_index("g", "J"), public_size("J")}, {"g"})),
            "error[DP341] 'J' (int<lower=0>) is public data of the program and is not declared; it "
            "is never taken from the records. Declare it: 'J = ...' under [public] in the schema, "
            "or -D J=..., or --public FILE.json.");
  BindingRequest declared = request_for({record_index("g", "J"), public_size("J")}, {"g"});
  declared.public_data["J"] = PublicValue::integer(85, "-D");
  EXPECT_EQ(bind_columns(declared).integer_slots[0].upper, 85);
}

TEST(Binding, WidthThatDisagreesWithItsDeclarationIsRefused) {
  EXPECT_EQ(refusal(request_for({record_matrix("x", "K"), public_size("K")}, {"x.1", "x.2"},
                                "[public]\nK = 3\n")),
            "error[DP331] d.csv:1: the header has columns of 'x' up to index 2; the program's "
            "matrix[N, K] is [3] here. Change the declared size, or name the columns: [model] x = "
            "[...].");
  EXPECT_EQ(refusal(request_for({record_matrix("x", "K"), public_size("K")}, {"a", "b"},
                                "[model]\nx = [\"a\", \"b\"]\n[public]\nK = 3\n")),
            "error[DP331] s.toml:2:5: 'x' (matrix[N, K]) takes [3] values per record; its columns "
            "give 2. Name as many columns as the program declares; a category with coding dummy "
            "gives one column less than it has levels.");
  EXPECT_NE(refusal(request_for({record_real("x")}, {"a", "b"}, "[model]\nx = [\"a\", \"b\"]\n"))
                .find("takes [1] values per record; its columns give 2"),
            std::string::npos);
  EXPECT_NE(
      refusal(request_for({record_matrix("x", "K"), record_matrix("z", "K"), public_size("K")},
                          {"x.1", "x.2", "z.1"}))
          .find("'z' up to index 1"),
      std::string::npos);
}

TEST(Binding, OneSizeOfTwoThatDisagreesIsRefused) {
  DataVariable variable = record_variable("m", BaseType::real, "array[N] matrix[R, C]");
  variable.dimensions = {DeclaredNumber::size_plus("R"), DeclaredNumber::size_plus("C")};
  EXPECT_NE(refusal(request_for({variable, public_size("R"), public_size("C")},
                                {"m.1.1", "m.1.2", "m.2.1", "m.2.2"}, "[public]\nR = 4\n"))
                .find("takes [4, 2] values per record; its columns give 4"),
            std::string::npos);
}

TEST(Binding, MissingColumnIsNamedWithTheNearestAndTheHeader) {
  EXPECT_EQ(
      refusal(request_for({record_real("age")}, {"id", "aeg"})),
      "error[DP321] d.csv:1: column 'age' is not in the header of d.csv. Column 2 has a "
      "similar name. The header has 2 names, not shown because the first line may be a record.");
  EXPECT_EQ(refusal(request_for({record_real("age")}, {"id"}, "[model]\nage = \"years\"\n")),
            "error[DP321] s.toml:2:7: column 'years' is not in the header of d.csv. The header has "
            "1 name, not shown because the first line may be a record.");
  EXPECT_EQ(refusal(request_for({record_real("age")}, {"age;id"})),
            "error[DP321] d.csv:1: column 'age' is not in the header of d.csv. The header is one "
            "name with semicolons in it. Separate cells by commas, not semicolons, and write "
            "numbers with a decimal point.");
  EXPECT_EQ(refusal(request_for({record_matrix("x", "K"), public_size("K")}, {"a", "b"})),
            "error[DP321] d.csv:1: 'x' (matrix[N, K]) needs columns x.1, ...; the header of d.csv "
            "has none of them. Name them in the schema: [model] x = [\"...\"]. The header has 2 "
            "names, not shown because the first line may be a record.");
  EXPECT_NE(refusal(request_for({record_real("age")}, {"age"}, "[columns.agee]\nlower = 0\n"))
                .find("s.toml:1:1: column 'agee' is not in the header"),
            std::string::npos);
}

TEST(Binding, SchemaMustNameDataOfTheProgram) {
  EXPECT_EQ(refusal(request_for({record_real("age")}, {"age"}, "[model]\nagge = \"age\"\n")),
            "error[DP340] s.toml:2:8: model.agge is not record data of the program, which has N as "
            "its first size. Did you mean 'age'?");
  EXPECT_EQ(
      refusal(request_for({record_real("age"), public_size("K")}, {"age"}, "[public]\nKK = 3\n")),
      "error[DP311] s.toml:2:6: public.KK is not public data of the program. Did you mean "
      "'K'?");
}

TEST(Binding, RealColumnForAnIntegerVariableIsRefused) {
  EXPECT_EQ(
      refusal(request_for({record_int("n")}, {"n"}, "[columns.n]\ntype = \"real\"\n")),
      "error[DP340] s.toml:1:1: 'n' (array[N] int) needs integers, but column 'n' is declared "
      "real. Write type = \"int\".");
  EXPECT_NE(refusal(request_for({record_int("n")}, {"n"},
                                "[columns.n]\nmean = 0\nsd = 1\nstandardise = true\n"))
                .find("is standardised. Remove standardise."),
            std::string::npos);
  EXPECT_NE(refusal(request_for({record_int("n")}, {"n"}, "[columns.n]\nif_missing = 0.5\n"))
                .find("has if_missing = 0.5. Write a whole number."),
            std::string::npos);
}

TEST(Binding, RecordCountInALaterDimensionIsRefused) {
  DataVariable distance = record_variable("d", BaseType::real, "matrix[N, N]");
  distance.dimensions = {DeclaredNumber::size_plus("N")};
  EXPECT_EQ(refusal(request_for({distance}, {"d.1"})),
            "error[DP340] 'd' (matrix[N, N]) has the record count in a later dimension too. A "
            "record's data may depend on that record alone: give each record a row.");
}

TEST(Binding, PublicValuesMustFitTheProgram) {
  DataVariable weights = public_real("w");
  weights.dimensions = {DeclaredNumber::size_plus("K")};
  weights.type_description = "vector[K]";
  const std::vector<DataVariable> variables = {record_real("y"), weights, public_size("K")};
  EXPECT_EQ(refusal(request_for(variables, {"y"}, "[public]\nK = 3\nw = [1, 2]\n")),
            "error[DP331] s.toml:3:5: 'w' is a list of 2; the program declares vector[K], which is "
            "[3] here. Make the two agree.");
  EXPECT_EQ(
      refusal(request_for(variables, {"y"}, "[public]\nK = -1\nw = []\n")),
      "error[DP333] s.toml:2:5: 'K' is -1; the program declares lower=0. Correct the declared "
      "value.");
  EXPECT_EQ(
      refusal(request_for(variables, {"y"}, "[public]\nK = 2.0\nw = [1, 2]\n")),
      "error[DP333] s.toml:2:5: 'K' is 2; the program needs 32-bit integers here. Correct the "
      "declared value.");
  EXPECT_EQ(refusal(request_for(variables, {"y"}, "[public]\nK = 2\n")),
            "error[DP341] 'w' (vector[K]) is public data of the program and is not declared; it is "
            "never taken from the records. Declare it: 'w = ...' under [public] in the schema, or "
            "--public FILE.json with \"w\".");
  EXPECT_EQ(refusal(request_for(variables, {"y"}, "[public]\nK = 0\nw = []\n")), "");
  BindingRequest twice = request_for(variables, {"y"}, "[public]\nK = 2\nw = [1, 2]\n");
  twice.public_data["K"] = PublicValue::integer(3, "-D");
  EXPECT_EQ(refusal(twice),
            "error[DP333] 'K' has one value from [public] in s.toml and another from -D. Keep one "
            "of the two.");
}

TEST(Binding, NoColumnsAreNeededForAWidthOfZero) {
  const Binding binding = bind_columns(request_for(
      {record_real("y"), record_matrix("x", "K"), public_size("K")}, {"y"}, "[public]\nK = 0\n"));
  EXPECT_EQ(binding.variables[1].count, 0u);
}

TEST(Binding, WithoutHeaderColumnsAreNamedByTheProgram) {
  BindingRequest request = request_for(
      {record_real("y"), record_matrix("x", "K"), public_size("K")}, {}, "[public]\nK = 2\n");
  request.header.reset();
  EXPECT_EQ(columns_of(bind_columns(request)), (Names{"y", "x.1", "x.2"}));
  request.schema.public_values.clear();
  EXPECT_EQ(
      refusal(request),
      "error[DP341] the number of columns of 'x' (matrix[N, K]) is not declared. Add 'K = ...' "
      "under [public] in the schema, or -D K=..., or name the columns: [model] x = [...].");
}

TEST(Binding, SomeVariablesCanBeBoundWithoutTheOthersColumns) {
  BindingRequest request =
      request_for({record_real("x"), record_real("y")}, {"x"}, "[columns.y]\nlower = 0\n");
  request.only = {"x"};
  EXPECT_EQ(columns_of(bind_columns(request)), Names{"x"});
}

TEST(Binding, EveryDeclarationIsListedAsAPublicFact) {
  const Binding binding = bind_columns(
      request_for({record_index("g", "J"), record_real("age"), record_real("z"), public_size("J"),
                   public_size("K")},
                  {"g", "age", "z"},
                  "[table]\nrows = 500\n[columns.g]\nlevels = [\"a\", \"b\"]\nif_missing = \"b\"\n"
                  "[columns.age]\nlower = 0\nupper = 9\nif_missing = 4\n[public]\nK = 7\n"));
  std::vector<std::string> lines;
  for (const PublicFact& fact : binding.public_facts) {
    lines.push_back(fact.name + " | " + fact.value + " | " + fact.source);
  }
  EXPECT_EQ(lines,
            (Names{"rows | 500 | s.toml", "column g | levels a, b; missing counts as b | s.toml",
                   "column age | lower 0; upper 9; missing counts as 4 | s.toml",
                   "column z | its name | header", "J | 2 | levels of column g",
                   "K | 7 | [public] in s.toml"}));
}

TEST(Binding, WildSizesCostNothing) {
  BindingRequest request =
      request_for({record_matrix("x", "K"), public_size("K")}, {"y"}, "[public]\nK = 2000000000\n");
  EXPECT_NE(refusal(request).find("needs columns x.1, ...; the header of d.csv has none"),
            std::string::npos);
  request.header.reset();
  EXPECT_NE(refusal(request).find("would have 2000000000 columns; at most 100000 are read"),
            std::string::npos);
  request = request_for({record_matrix("x", "K"), public_size("K")}, {}, "[public]\nK = 1e109\n");
  request.header.reset();
  EXPECT_NE(refusal(request).find("at most 100000 are read"), std::string::npos);
}

TEST(Binding, WildIndicesInTheHeaderCostNothing) {
  EXPECT_NE(refusal(request_for({record_matrix("x", "K"), public_size("K")},
                                {"x.1", "x.18446744073709551615"}))
                .find("column 'x.2' is not in the header"),
            std::string::npos);
}

TEST(Binding, IsAbsentWhileAFactIsUndeclared) {
  BindingRequest request = request_for({record_matrix("x", "K"), public_size("K")}, {});
  request.header.reset();
  EXPECT_FALSE(bind_if_declared(request).has_value());
  request.public_data["K"] = PublicValue::integer(2, "a test");
  EXPECT_EQ(columns_of(*bind_if_declared(request)), (Names{"x.1", "x.2"}));
  request.header = Names{"z"};
  EXPECT_THROW(bind_if_declared(request), InputError);
}

// Guarantee: none of its names is shown.
TEST(HeaderText, ShowsNoneOfItsNames) {
  for (const Names& header :
       {Names{"Smith"}, Names{"Smith;Ann;Lee"}, Names{"Smith\tAnn\tLee"}, Names{"Smith|Ann|Lee"},
        Names{"Smith", "Ann"}, Names{"Smith;Ann", "Lee"}, Names(100, "Lee")}) {
    const std::string text = header_text(header);
    EXPECT_NE(text, "");
    for (const char* name : {"Smith", "Ann", "Lee"}) {
      EXPECT_EQ(text.find(name), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace dpvi
