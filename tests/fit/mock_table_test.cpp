#include <gtest/gtest.h>

#include <map>
#include <string>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/fit/mock/mock_outcomes.hpp>
#include <dpvi/fit/mock/mock_table.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr const char* kProgram = R"(
data {
  int N; int K; int J;
  vector[N] a;
  matrix[N, K] u;
  array[N] int<lower=1, upper=J> group;
  array[N] int<lower=0, upper=1> yes;
  array[N] int<lower=0> count;
}
parameters { real mu; }
model { a ~ normal(mu, 1); }
)";

constexpr const char* kSchema = R"(
[columns.a]
mean = 1000
sd = 0.001
standardise = true
[columns.kind]
levels = ["x, 1", "\"y\"", "z"]
[columns.both]
levels = ["p", "q"]
coding = "one-hot"
[columns.group]
levels = ["1", "2", "3"]
[columns.yes]
levels = ["no", "yes"]
coding = "dummy"
[columns.big]
type = "int"
lower = 2000000
upper = 2000900
[model]
u = ["kind", "both"]
count = "big"
)";

TEST(MockTable, IsReadBackAsTheRecordsItWasMadeOf) {
  const BoundProgram program = bind_program(kProgram, kSchema);
  const std::vector<MockRecord> records =
      make_mock_records(program.binding, 200, SeededGenerator(9));
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", mock_csv(program.binding, records, SeededGenerator(9))));
  Binding binding = program.binding;
  TextColumns source(csv, column_request(binding));
  const auto read = records_of(read_records(source, binding));
  ASSERT_EQ(read.size(), records.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_TRUE(read[i].has_value());
    EXPECT_EQ(read[i]->integers, records[i].integers);
    for (std::size_t j = 1; j < records[i].reals.size(); ++j) {
      EXPECT_EQ(read[i]->reals[j], records[i].reals[j]);
    }
  }
}

TEST(MockTable, PiecesMakeTheSameTable) {
  const BoundProgram program = bind_program(
      "data { int N; vector[N] a; } parameters { real m; } model { a ~ normal(m, 1); }",
      "[table]\nunit = \"who\"\nmax_rows_per_unit = 3\n");
  const SeededGenerator generator(2);
  const std::vector<MockRecord> records = make_mock_records(program.binding, 100, generator);
  MockRecordSource source(program.binding, generator);
  MockCsv csv(program.binding, generator);
  std::string text = csv.header();
  for (int piece = 0; piece < 10; ++piece) {
    std::vector<MockRecord> rows;
    for (int i = 0; i < 10; ++i) rows.push_back(source.next());
    text += csv.lines(rows);
  }
  EXPECT_EQ(text, mock_csv(program.binding, records, generator));
}

TEST(MockTable, RoundingKeepsNumbersWithinTheirBounds) {
  const BoundProgram program = bind_program(
      "data { int N; vector[N] a; } parameters { real m; } model { a ~ normal(m, 1); }",
      "[columns.a]\nlower = 0.12345678\nupper = 0.12345679\n");
  const std::string csv =
      mock_csv(program.binding, make_mock_records(program.binding, 3, SeededGenerator(1)),
               SeededGenerator(1));
  EXPECT_EQ(csv.find("0.123457"), std::string::npos) << csv;
}

TEST(MockTable, UnitsHaveOneToAsManyRowsAsTheyMayHave) {
  const BoundProgram program = bind_program(
      "data { int N; vector[N] a; } parameters { real m; } model { a ~ normal(m, 1); }",
      "[table]\nunit = \"who, then\"\nmax_rows_per_unit = 3\n");
  const SeededGenerator generator(2);
  const std::string text =
      mock_csv(program.binding, make_mock_records(program.binding, 2000, generator), generator);
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", text));
  EXPECT_EQ(csv.header(), (std::vector<std::string>{"who, then", "a"}));
  std::map<std::string, int> rows;
  while (csv.next_row()) ++rows[std::string(csv.cells()[0])];
  std::map<int, int> units;  // keyed by their number of rows
  for (const auto& [id, count] : rows) ++units[count];
  EXPECT_EQ(units.size(), 3u);
  // About 1000 units, a third of them of each size: 5 standard errors are 75.
  for (const auto& [count, times] : units) EXPECT_NEAR(times, 333, 75) << count;
}

class Outcomes : public testing::Test {
 protected:
  // Returns the program's draws of y for mock values of x in [0, 1].
  std::vector<MockRecord> drawn(const std::string& generated) {
    const std::string text =
        "data { int N; vector<lower=0, upper=1>[N] x; vector<upper=5>[N] y; }"
        "parameters { real<lower=2, upper=3> mu; } model { y ~ normal(mu * x, 1); }"
        "generated quantities { " +
        generated + " }";
    const BoundProgram program = bind_program(text);
    const CheckedProgram checked = read_stan_program("m.stan", text, stan_functions());
    Findings findings;
    const DataBlock data = describe_data_block(checked.program, "N", findings);
    const StanModelOptions options;
    const GeneratedDraws draws(checked, data, stan_functions(), options);
    const SeededGenerator generator(4);
    auto records = make_mock_records(program.binding, 20, generator);
    used_ = draw_outcomes(records, program.binding, program.model, draws,
                          find_replicates(checked.program, data), generator);
    return records;
  }

  std::vector<Replicate> used_;
};

TEST_F(Outcomes, AreTheProgramsOwnWhereItDraws) {
  const auto records =
      drawn("vector[N] y_rep = mu * x + to_vector(normal_rng(rep_vector(0, N), 1e-9));");
  ASSERT_EQ(used_.size(), 1u);
  EXPECT_EQ(used_[0].variable, "y");
  EXPECT_EQ(used_[0].quantity, "y_rep");
  const double mu = records[0].reals[1] / records[0].reals[0];
  EXPECT_TRUE(mu >= 2 && mu <= 3) << mu;
  for (const MockRecord& record : records) {
    EXPECT_NEAR(record.reals[1], mu * record.reals[0], 1e-6);
  }
}

TEST_F(Outcomes, OutsideTheirBoundsOrWithoutADrawAreLeftAlone) {
  const auto plain = drawn("real z = mu;");
  EXPECT_TRUE(used_.empty());
  const auto same = [&](const std::vector<MockRecord>& records) {
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (plain[i].reals != records[i].reals) return false;
    }
    return true;
  };
  EXPECT_TRUE(same(drawn("vector[N] y_rep = mu * x;")));
  EXPECT_TRUE(used_.empty());
  EXPECT_TRUE(same(drawn("array[N] real y_rep = normal_rng(rep_vector(100, N), 1);")));
  EXPECT_TRUE(same(drawn("array[N] real y_rep = normal_rng(x, -1);")));
  EXPECT_FALSE(same(drawn("array[N] real y_rep = normal_rng(x, 1);")));
}

TEST(RequestedFacts, AreThoseOverRecordData) {
  const CheckedProgram checked = read_stan_program("m.stan", R"(
data { int N; int K; vector[N] a; matrix[N, K] x; vector[K] c; }
transformed data {
  vector[N] z = (a - mean(a)) / sd(a);
  real top = max(x[, 1]) - mean(c);
  real spread = K > 1 ? variance(col(x, 2)) : 1;
}
parameters { real mu; }
model { z ~ normal(mu, 1); target += -min(a); }
)",
                                                   stan_functions());
  Findings findings;
  const DataBlock data = describe_data_block(checked.program, "N", findings);
  EXPECT_EQ(requested_facts(checked.program, data),
            (RequestedFacts{{"a", {"lower", "mean", "sd"}}, {"x", {"sd", "upper"}}}));
}

}  // namespace
}  // namespace dpvi
