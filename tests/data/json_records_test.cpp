#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/json_records.hpp>
#include <dpvi/data/record_reader.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/error_text.hpp>

namespace dpvi {
namespace {

using Records = std::vector<std::optional<PlainRecord>>;
using Names = std::vector<std::string>;

std::vector<DataVariable> regression() {
  return {public_size("N"), public_size("K"), record_matrix("x", "K"), record_binary("y"),
          public_real("tau")};
}

BindingRequest request_for(std::vector<DataVariable> variables, const std::string& schema = "") {
  BindingRequest request;
  request.variables = std::move(variables);
  request.schema = parse_schema(schema, "s.toml");
  request.table_file = "d.json";
  return request;
}

// Binds public values and names, before the records are opened.
JsonBinding bind_names(const std::string& json, const BindingRequest& request,
                       const Names& public_names = {}) {
  return bind_json(parse_stan_json(json, "d.json", public_in_json(request, public_names)), request,
                   public_names);
}

struct BoundTable {
  Binding binding;
  RecordTable table;
};

BoundTable bind_text(const std::string& json, const BindingRequest& request,
                     const Names& public_names = {}) {
  JsonBinding bound = bind_names(json, request, public_names);
  JsonColumns source(parse_stan_json(json, "d.json"), bound.request, bound.binding);
  RecordTable table = read_records(source, bound.binding);
  return {std::move(bound.binding), std::move(table)};
}

Names columns_of(const Binding& binding) {
  Names names;
  for (const BoundColumn& column : binding.columns) names.push_back(column.name);
  return names;
}

TEST(JsonRecords, RecordsSizesAndNamedPublicValuesAreDistinguished) {
  const BoundTable bound =
      bind_text(R"({"N": 3, "K": 2, "x": [[1, 2], [3, NaN], [5, 6]], "y": [0, 1, 1], "tau": 2.5})",
                request_for(regression()), {"tau"});
  EXPECT_EQ(records_of(bound.table),
            (Records{PlainRecord{{1, 2}, {0}}, std::nullopt, PlainRecord{{5, 6}, {1}}}));
  EXPECT_EQ(bound.binding.public_data.at("tau").numbers[0], 2.5);
  EXPECT_EQ(bound.binding.public_data.at("K").numbers[0], 2);
  EXPECT_FALSE(bound.binding.public_data.contains("N"));
  Names facts;
  for (const PublicFact& fact : bound.binding.public_facts) facts.push_back(fact.name);
  EXPECT_EQ(facts, (Names{"column x.1", "column x.2", "column y", "K", "tau"}));
}

TEST(JsonRecords, AListThatTheProgramDoesNotDeclareMayNameTheUnits) {
  const BindingRequest request = request_for({public_size("N"), record_binary("y")},
                                             "[table]\nunit = \"id\"\nmax_rows_per_unit = 2\n");
  const RecordTable table =
      bind_text(R"({"N": 5, "id": [7, 8, 7, 7, 8], "y": [0, 1, 1, 0, 5]})", request)
          .table.gathered();
  ASSERT_EQ(table.record_count(), 2u);
  EXPECT_EQ(table.row_count(), 4u);
  EXPECT_EQ(table.rows_of(0).end, 2u);
}

TEST(JsonRecords, ValueBesideTheRecordsWouldLeak) {
  const std::string json = "{\"N\": 1, \"K\": 1, \"x\": [[1]], \"y\": [0],\n \"tau\": 2.5}";
  EXPECT_EQ(error_text<LeakError>([&] { bind_text(json, request_for(regression())); }),
            "error[DP350] d.json:2:2: 'tau' (real) is in the records file and N is not its first "
            "size; the result would reveal it. If it is public, give --public-names tau, or move "
            "it to a --public file.");
  BindingRequest declared = request_for(regression());
  declared.public_data = public_data_of(parse_stan_json("{\"tau\": 4}", "p.json"));
  EXPECT_EQ(bind_text(json, declared).binding.public_data.at("tau").numbers[0], 4);
}

TEST(JsonRecords, IntegerThatSizesNothingWouldLeak) {
  DataVariable count = public_size("deaths");
  count.used_as_size = false;
  EXPECT_NE(error_text<LeakError>([&] {
              bind_text(R"({"N": 1, "y": [0], "deaths": 3})",
                        request_for({public_size("N"), record_binary("y"), count}));
            }).find("'deaths'"),
            std::string::npos);
}

TEST(JsonRecords, PublicNamesMustBePublicDataOfTheProgram) {
  const auto refusal = [](const std::string& name) {
    return error_text<UsageError>([&] {
      bind_text(R"({"N": 1, "K": 1, "x": [[1]], "y": [0], "tau": 1})", request_for(regression()),
                {name});
    });
  };
  EXPECT_EQ(refusal("tua"),
            "error[DP102] the public name 'tua' is not public data of the program; record data and "
            "N cannot be made public. Did you mean 'tau'?");
  EXPECT_NE(refusal("y").find("'y' is not public data"), std::string::npos);
  EXPECT_NE(refusal("N").find("'N' is not public data"), std::string::npos);
}

TEST(JsonRecords, WrongShapesAreRefusedWithBothShapes) {
  const auto refusal = [](const std::string& json) {
    return error_text([&] { bind_text(json, request_for(regression()), {"tau"}); });
  };
  EXPECT_EQ(refusal("{\"N\": 2, \"K\": 3,\n\"x\": [[1, 2], [3, 4]], \"y\": [0, 1], \"tau\": 1}"),
            "error[DP331] d.json:2:1: 'x' is nested lists of 2 x 2; the program declares "
            "matrix[N, K], which is [2, 3] here. Make the two agree.");
  EXPECT_NE(refusal(R"({"N": 2, "K": 1, "x": [[1], [2]], "y": [0, 1, 1], "tau": 1})")
                .find("'y' is a list of 3; the program declares array[N] int<lower=0, upper=1>, "
                      "which is [2] here."),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"N": 2, "K": 1, "x": [1, 2], "y": [0, 1], "tau": 1})").find("'x' is a list of 2"),
      std::string::npos);
  EXPECT_NE(refusal(R"({"N": 2, "K": 1, "x": 1, "y": [0, 1], "tau": 1})").find("'x' is one number"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"N": [2], "K": 1, "x": [[1]], "y": [0], "tau": 1})")
                .find("'N' must be one integer"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"K": 1, "x": [[1], [2]], "y": [0], "tau": 1})").find("'y' is a list of 1"),
            std::string::npos);
}

TEST(JsonRecords, MissingVariableIsNamed) {
  EXPECT_EQ(error_text([] {
              bind_text(R"({"N": 1, "wieght": [1]})",
                        request_for({public_size("N"), record_real("weight")}));
            }),
            "error[DP332] d.json:1:10: 'weight' (vector[N]) is not in the data. The file has a "
            "similar name at this place.");
  EXPECT_NE(error_text([] {
              bind_text(R"({"N": 1, "K": 1, "x": [[1]], "y": [0]})", request_for(regression()));
            }).find("'tau' (real) is public data of the program and is not declared"),
            std::string::npos);
}

TEST(JsonRecords, NoRecordsAreFine) {
  const BoundTable bound = bind_text(R"({"N": 0, "K": 2, "x": [], "y": [], "tau": 1})",
                                     request_for(regression()), {"tau"});
  EXPECT_EQ(bound.table.record_count(), 0u);
  EXPECT_EQ(bound.table.real_slots(), 2u);
}

TEST(JsonRecords, WidthOfZeroIsFine) {
  for (const char* x : {"[]", "[[], []]"}) {
    const BoundTable bound =
        bind_text(R"({"N": 2, "K": 0, "y": [0, 1], "tau": 1, "x": )" + std::string(x) + "}",
                  request_for(regression()), {"tau"});
    EXPECT_EQ(bound.table.record_count(), 2u);
    EXPECT_EQ(bound.table.real_slots(), 0u);
  }
}

// Data of one program with zero, one and two records.
struct ThreeTables {
  std::vector<DataVariable> variables;
  Names json;
};

ThreeTables tables_of(const DataVariable& x, const Names& cells) {
  ThreeTables made{{public_size("N"), public_size("K"), x}, {}};
  for (std::size_t records = 0; records < 3; ++records) {
    std::string lists;
    for (std::size_t i = 0; i < records; ++i) lists += (i == 0 ? "" : ", ") + cells[i];
    made.json.push_back("{\"N\": " + std::to_string(records) + ", \"x\": [" + lists +
                        "], \"K\": 2}");
  }
  return made;
}

DataVariable record_array(std::vector<DeclaredNumber> dimensions) {
  DataVariable variable = record_variable("x", BaseType::real, "array[N, ...] real");
  variable.dimensions = std::move(dimensions);
  return variable;
}

TEST(JsonRecords, SizesDoNotDependOnWhetherThereAreRecords) {
  const DeclaredNumber k = DeclaredNumber::size_plus("K");
  for (const ThreeTables& tables :
       {tables_of(record_matrix("x", "K"), {"[1, 2]", "[3, 4]"}),
        tables_of(record_array({k}), {"[1, 2]", "[3, 4]"}),
        tables_of(record_array({k, DeclaredNumber::number(1)}), {"[[1], [2]]", "[[3], [4]]"}),
        tables_of(record_array({DeclaredNumber::number(3), k}),
                  {"[[1, 2], [3, 4], [5, 6]]", "[[1, 2], [3, 4], [5, 6]]"})}) {
    const BindingRequest request = request_for(tables.variables);
    const BoundTable two = bind_text(tables.json[2], request);
    EXPECT_EQ(two.binding.public_data.at("K").numbers[0], 2);
    for (std::size_t records = 0; records < 3; ++records) {
      const BoundTable bound = bind_text(tables.json[records], request);
      EXPECT_EQ(bound.table.record_count(), records);
      EXPECT_EQ(columns_of(bound.binding), columns_of(two.binding));
      EXPECT_EQ(bound.binding.variables[0].dimensions, two.binding.variables[0].dimensions);
      EXPECT_EQ(bound.binding.public_data.at("K").source, two.binding.public_data.at("K").source);
    }
  }
}

TEST(JsonRecords, WidthThatIsNotDeclaredIsRefusedWithAndWithoutRecords) {
  const std::string refusal =
      "error[DP341] the number of columns of 'x' (matrix[N, K]) is not declared. Add 'K = ...' "
      "under [public] in the schema, or -D K=..., or name the columns: [model] x = [...].";
  for (const char* x : {"[]", "[[1, 2]]", "[[1, 2], [3, 4]]", "[[]]"}) {
    const std::string json = R"({"x": )" + std::string(x) + "}";
    const std::vector<DataVariable> variables{public_size("N"), public_size("K"),
                                              record_matrix("x", "K")};
    EXPECT_EQ(error_text([&] { bind_names(json, request_for(variables)); }), refusal) << x;
    BindingRequest declared = request_for(variables, "[model]\nx = [\"x.1\", \"x.2\"]\n");
    EXPECT_EQ(bind_names(json, declared).binding.public_data.at("K").numbers[0], 2) << x;
  }
}

TEST(JsonRecords, ColumnsThatTheSchemaNamesAreAskedForWithAndWithoutRecords) {
  for (const char* json : {R"({"N": 0, "y": [], "tau": 1})", R"({"N": 1, "y": [1], "tau": 1})"}) {
    for (const auto& [schema, column] :
         {std::pair{"[table]\nunit = \"id\"\nmax_rows_per_unit = 2\n", "id"},
          std::pair{"[columns.age]\nlower = 0\n", "age"}, std::pair{"[model]\nz = \"w\"\n", "w"},
          std::pair{"[model]\nz = \"tau\"\n", "tau"}, std::pair{"[model]\nz = \"N\"\n", "N"}}) {
      std::vector<DataVariable> variables{public_size("N"), record_binary("y"), public_real("tau")};
      if (std::string_view(schema).find("[model]") == 0) variables.push_back(record_real("z"));
      const BindingRequest request = request_for(std::move(variables), schema);
      EXPECT_NE(error_text([&] {
                  bind_names(json, request, {"tau"});
                }).find("column '" + std::string(column) + "' is not in the header of d.json. "),
                std::string::npos)
          << json << schema;
    }
  }
}

TEST(JsonRecords, SchemaMayNameElementsOfNestedLists) {
  const BindingRequest request =
      request_for({public_size("N"), record_real("z")}, "[model]\nz = \"w.2.1\"\n");
  const BoundTable bound =
      bind_text(R"({"N": 2, "w": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]})", request);
  EXPECT_EQ(records_of(bound.table), (Records{PlainRecord{{3}, {}}, PlainRecord{{7}, {}}}));
  EXPECT_EQ(bind_text(R"({"N": 0, "w": []})", request).table.record_count(), 0u);
  for (const char* json : {R"({"N": 2, "w": [1, 2]})", R"({"N": 1, "w": [[[1, 2]]]})",
                           R"({"N": 1, "w": [[[1], [2]], [[3], [4]]]})", R"({"N": 0, "w": [1]})",
                           R"({"N": 1, "w": 3})"}) {
    EXPECT_TRUE(error_text([&] { bind_text(json, request); }).starts_with("error[DP331] d.json:1:"))
        << json;
  }
}

TEST(JsonRecords, WithoutAStatedCountTheFirstListDeterminesIt) {
  const BindingRequest request =
      request_for({public_size("N"), record_real("z")}, "[model]\nz = \"age\"\n");
  EXPECT_EQ(bind_text(R"({"age": [1, 2, 3]})", request).table.record_count(), 3u);
  EXPECT_EQ(bind_text(R"({"age": []})", request).table.record_count(), 0u);
}

// Reading only the public values of a file reveals nothing about its records.
TEST(JsonRecords, TheFirstLookKeepsNamesAndPublicValuesOnly) {
  const BindingRequest request = request_for(regression());
  const JsonData outline =
      parse_stan_json(R"({"N": 2, "x": [[1, 2], [3, 4]], "K": 2, "y": [0, 1], "tau": [1, 2]})",
                      "d.json", public_in_json(request, {"tau"}));
  for (const char* name : {"N", "x", "y"}) {
    EXPECT_EQ(outline.at(name).size(), 0u) << name;
    EXPECT_TRUE(outline.at(name).dimensions.empty()) << name;
  }
  EXPECT_EQ(outline.at("K").cell(0), "2");
  EXPECT_EQ(outline.at("tau").dimensions, std::vector<std::size_t>{2});
  EXPECT_EQ(error_text([&] {
              parse_stan_json(R"({"x": [[1, 2], [3]]})", "d.json", public_in_json(request, {}));
            }).substr(0, 12),
            "error[DP331]");
}

// The shapes of records are checked when the records are opened, not before.
TEST(JsonRecords, WrongShapesAreNoticedWhenRecordsAreOpened) {
  const std::string json = R"({"N": 2, "K": 3, "x": [[1, 2], [3, 4]], "y": [0], "tau": 1})";
  EXPECT_NO_THROW(bind_names(json, request_for(regression()), {"tau"}));
  EXPECT_NE(error_text([&] { bind_text(json, request_for(regression()), {"tau"}); }), "");
}

TEST(JsonRecords, SchemaServesJsonAsItServesCsv) {
  const BoundTable bound =
      bind_text(R"({"N": 2, "age": [30, 200], "ward": ["b", "z"], "died": [1, 0], "tau": 1})",
                request_for(regression(),
                            "[columns.age]\nmean = 50\nsd = 10\nstandardise = true\nupper = 100\n"
                            "[columns.ward]\nlevels = [\"a\", \"b\"]\nif_missing = \"a\"\n"
                            "[model]\nx = [\"age\", \"ward\"]\ny = \"died\"\n"),
                {"tau"});
  EXPECT_EQ(records_of(bound.table),
            (Records{PlainRecord{{-2, 1}, {1}}, PlainRecord{{5, 0}, {0}}}));
}

TEST(JsonRecords, WhatCellsContainNeverThrows) {
  for (const char* cell : {"1e400", "-1e99999", "\"abc\"", "null", "true", "0.5", "NaN", "\"\"",
                           "\"\xff\x80\"", "99999999999999999999", "\"Inf\""}) {
    const BoundTable bound = bind_text(
        R"({"N": 2, "K": 1, "x": [[1], [2]], "tau": 1, "y": [1, )" + std::string(cell) + "]}",
        request_for(regression()), {"tau"});
    EXPECT_EQ(records_of(bound.table), (Records{PlainRecord{{1}, {1}}, std::nullopt})) << cell;
  }
}

}  // namespace
}  // namespace dpvi
