#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/data/schema_draft.hpp>
#include <tests/support/data_variables.hpp>

namespace dpvi {
namespace {

using Names = std::vector<std::string>;

SchemaDraft drafted(std::vector<DataVariable> variables, std::optional<Names> header,
                    const RequestedFacts& asked = {}, HeaderNames shown = HeaderNames::bound) {
  BindingRequest request;
  request.variables = std::move(variables);
  request.header = std::move(header);
  SchemaDraft draft = draft_schema(request, asked, shown);
  parse_schema(draft.toml, "s.toml");  // the draft is a valid schema
  return draft;
}

bool has(const SchemaDraft& draft, const std::string& text) {
  return draft.toml.find(text) != std::string::npos;
}

TEST(SchemaDraft, BindsColumnsThatHaveTheProgramsNames) {
  const SchemaDraft draft = drafted({public_size("K"), record_matrix("x", "K"), record_binary("y")},
                                    Names{"id", "x.1", "x.2", "y"});
  EXPECT_EQ(draft.missing, (Names{"table.rows", "table.unit"}));
  EXPECT_TRUE(has(draft, "x = [\"x.1\", \"x.2\"]")) << draft.toml;
  EXPECT_TRUE(has(draft, "# K follows from the columns of x"));
}

TEST(SchemaDraft, NamesThatTheProgramLacksAreWrittenOnRequestOnly) {
  const std::vector<DataVariable> variables = {public_size("K"), record_matrix("x", "K"),
                                               record_real("y"), record_real("died")};
  const Names first_record = {"Smith", "died", "Diabetes"};
  const SchemaDraft draft = drafted(variables, first_record);
  EXPECT_FALSE(has(draft, "Smith")) << draft.toml;
  EXPECT_FALSE(has(draft, "Diabetes")) << draft.toml;
  EXPECT_TRUE(has(draft, "died = \"died\"")) << draft.toml;
  EXPECT_TRUE(has(draft, "# 2 further columns of the table")) << draft.toml;
  const SchemaDraft all = drafted(variables, first_record, {}, HeaderNames::all);
  EXPECT_TRUE(has(all, "# x = [\"Smith\", \"Diabetes\"]")) << all.toml;
  EXPECT_TRUE(has(drafted({record_real("y")}, Names{"id", "y"}, {}, HeaderNames::all),
                  "# Columns that the program does not use: [\"id\"]"));
}

TEST(SchemaDraft, EveryFactThatOnlyPeopleKnowIsALineToFillIn) {
  const SchemaDraft draft =
      drafted({public_size("J"), public_real("tau"), record_index("group", "J"), record_real("age"),
               record_real("weight")},
              Names{"group", "age"}, {{"age", {"mean"}}});
  EXPECT_EQ(draft.missing, (Names{"table.rows", "model.weight", "columns.group.levels",
                                  "columns.age.mean", "public.tau"}));
  for (const char* line : {"# rows = ...", "# weight = \"...\"", "# levels = [", "# mean = ...",
                           "# tau = ...", "# J = ..."}) {
    EXPECT_TRUE(has(draft, std::string("\n") + line)) << line << "\n" << draft.toml;
  }
}

TEST(SchemaDraft, NamesOfAnyKindAreQuoted) {
  const std::string wild = "a \"b\\\n[c] # \xc3\xb6";
  const SchemaDraft draft = drafted({record_real("y")}, Names{wild, "y"}, {}, HeaderNames::all);
  EXPECT_EQ(parse_schema(draft.toml, "s.toml").bindings.at("y").columns, (Names{"y"}));
  EXPECT_TRUE(has(draft, "a \\\"b\\\\\\u000A[c] # \xc3\xb6")) << draft.toml;
}

TEST(SchemaDraft, WithoutATableColumnsAreNamedAsTheProgramDoes) {
  DataVariable x = record_matrix("x", "K");
  x.dimensions = {DeclaredNumber::number(2)};
  const SchemaDraft draft =
      drafted({x, record_real("y"), record_matrix("z", "K"), public_size("K")}, std::nullopt);
  EXPECT_TRUE(has(draft, "x = [\"x.1\", \"x.2\"]"));
  EXPECT_EQ(draft.missing, (Names{"table.rows", "model.z"}));
}

}  // namespace
}  // namespace dpvi
