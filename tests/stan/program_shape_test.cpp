#include <dpvi/stan/syntax/program_shape.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <tests/support/source_folder.hpp>

namespace dpvi {
namespace {

using namespace std::string_literals;

const std::string kProgram = R"(data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
)";

std::string rows(const std::string& row, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += row + "\n";
  return text;
}

TEST(ProgramShape, EveryProgramOfTheExamplesIsOne) {
  int seen = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(tests_folder().parent_path() / "examples")) {
    if (entry.path().extension() != ".stan") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_TRUE(looks_like_program(text)) << entry.path();
    ++seen;
  }
  EXPECT_GE(seen, 4);
}

TEST(ProgramShape, MistakesLeaveAProgramOne) {
  const std::string rest = kProgram.substr(kProgram.find('\n'));
  for (const char* first :
       {"dta {", "data [", "data, {", "data", "int N", "int N, M;", "Data {", "@data {",
        "this is not Stan", "my model, version 2", "// comment\ndta {", "data { {"}) {
    EXPECT_TRUE(looks_like_program(first + rest)) << first;
  }
  for (const char* text :
       {"model { }", "model { y ~ normal(0, 1) }", "data{int N;}model{y~normal(0,1);}",
        "parameters {\n  real a\n  real b\n  real c\n}\n", "model\n{\n  target += 1;\n}\n",
        "transformed\n data {\n int K = 2;\n}\nmodel { }",
        "data { int N; }\nmodel {\n  print(\"never closed);\n  y ~ normal(0, 1);\n}\n",
        "data { int N; }\nmodel { } }\n  y ~ normal(mu, sigma);\n}\n",
        "transformed data {\n  array[2, 3] real x = {\n    {1, 2, 3},\n    {4, 5, 6}};\n}\nmodel { "
        "}",
        "data { int N; }\nmodel {\n  a ~ normal(0, 1);\n}\n  b ~ normal(0, 1);\n  c ~ normal(\n    "
        "0,\n 1);\n  d ~ normal(0, 1);\n}\n",
        "# old comment\nmodel { }\n", "modell {\n  real x;\n}\nmodel { }\n",
        "dta {\n int N;\n}\nparameters {\n real x;\n}\nmodle {\n x ~ normal(0, 1);\n}\ngenerated "
        "quantities { }"}) {
    EXPECT_TRUE(looks_like_program(text)) << text;
  }
}

// Guarantee: a table of records is not taken for a program, even if a cell contains part of one.
TEST(ProgramShape, TablesAreNot) {
  const std::vector<std::string> tables = {
      "",
      "\n\n",
      "id,name,sex\n" + rows("17,Smith,F", 20),
      "id;name;sex\n" + rows("17;Smith;F", 20),
      "id;name;sex;\n" + rows("17;Smith;F;", 20),
      "id\tname\tsex\n" + rows("17\tSmith\tF", 20),
      "id|name|sex\n" + rows("17|Smith|F", 20),
      "id name sex\n" + rows("17 Smith F", 20),
      "\"id\",\"name\"\n" + rows("\"17\",\"Smith, John\"", 20),
      "name\n" + rows("Smith", 20),
      "Smith,John,1970",
      "data,model\n" + rows("1,2", 20),
      "data {,model {\n" + rows("1,2", 20),
      "data {\tmodel {\n" + rows("1\t2", 20),
      "model {\n" + rows("Smith", 20),
      "[{\"id\": 17, \"name\": \"Smith\"}]",
      "{\"data\": {\"name\": \"Smith\"}, \"model\": {\"age\": 3}}",
      "{\n  \"N\": 2,\n  \"model {\": [1, 2]\n}\n",
      "{\"id\":17,\"note\":\"model { y ~ normal(0, 1); }\"}\n{\"id\":18,\"note\":\"\"}\n",
      "\x1f\x8b\x08\0\0\0\0\0model { }"s,
      "<stata_dta><header>\0\x01model { }\n"s,
      "PK\x03\x04\x14model { }\n"s,
      "$FL2@(#) SPSS DATA FILE\x02\0\0\0model { }"s,
      "INSERT INTO patients VALUES (17, 'Smith');\n",
      "data patients; input id name $; cards;\n17 Smith\n;\nrun;\n",
      "model { }\nlist(y = c(1, 2, 3, 4, 5, 6, 7), x = c(1, 2))\n"};
  for (const std::string& table : tables) EXPECT_FALSE(looks_like_program(table)) << table;
}

// Guarantee: a table of records is not taken for a program, even if a cell contains part of one.
TEST(ProgramShape, ACellThatHoldsAProgramMakesNoTableOne) {
  const std::string quoted = "\"" + kProgram + "\"";
  const std::vector<std::string> tables = {"id,notes\n17,model {\n" + rows("18,none", 3),
                                           "id,notes\n17,\"model { }\"\n",
                                           "id,notes\n17," + quoted + "\n",
                                           "id,notes\n17," + quoted + "\n" + rows("18,none", 20),
                                           "id;notes\n17;" + quoted + "\n",
                                           "id\tnotes\n17\t" + quoted + "\n",
                                           "notes\n" + quoted + "\n",
                                           "notes\nSmith\n" + quoted + "\n",
                                           "notes\nSmith\n" + kProgram,
                                           "notes\nSmith\nJones\n" + kProgram,
                                           "notes,id\n" + quoted + ",17\n",
                                           "notes,id\nmodel {,17\n}\",18\n",
                                           "model {,id\nSmith,17\nJones,18\n",
                                           "id,model {\n1,}\n2,data {\n3,}\n",
                                           "data {,name,model\nb=c,Smith,\"y ~ normal(0, 1);\"\n",
                                           "model {\nJones\nb=c",
                                           "data {\tdata {\nSmith\tAnn Lee\n",
                                           "model { y ~ normal(0, 1); }\n/* a\nSmith\nJones\n",
                                           "data { int N; } model { },Smith",
                                           "data{int N;}\tSmith\n",
                                           "model {|data\nyes|17\n(a)|b=c\n"};
  for (const std::string& table : tables) EXPECT_FALSE(looks_like_program(table)) << table;
}

}  // namespace
}  // namespace dpvi
