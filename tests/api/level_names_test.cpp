#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/api/level_names.hpp>

namespace dpvi {
namespace {

TEST(LevelNames, DimensionsOfACategoryHaveItsLevels) {
  const Program program = read_program(
      {.model_text = R"(
data { int<lower=0> N; int J; int K; vector[N] y; array[N] int<lower=1, upper=J> ward; }
parameters { real mu; vector[J] a; array[K] vector[J] b; matrix[J, K] m; }
model { mu ~ normal(0, 1); a ~ normal(0, 1); for (k in 1:K) b[k] ~ normal(0, 1);
        to_vector(m) ~ normal(0, 1); y ~ normal(mu + a[ward], 1); }
)",
       .schema_text = "[columns.ward]\nlevels = [\"north\", \"south\"]\n[public]\nK = 2\n"});
  const auto names = level_names(bind_without_table(program));
  const IndexNames wards = {"north", "south"}, none;
  EXPECT_TRUE(names.at("mu").empty());
  EXPECT_EQ(names.at("a"), (std::vector<IndexNames>{wards}));
  EXPECT_EQ(names.at("b"), (std::vector<IndexNames>{none, wards}));
  EXPECT_EQ(names.at("m"), (std::vector<IndexNames>{wards, none}));
}

TEST(LevelNames, DimensionsOfRecordDataHaveTheirColumns) {
  const auto names_with = [](const std::string& columns) {
    return level_names(bind_without_table(read_program({.model_text = R"(
data { int<lower=0> N; int K; matrix[N, K] x; vector[N] y; }
parameters { vector[K] b; }
model { b ~ normal(0, 1); y ~ normal(x * b, 1); }
)",
                                                        .schema_text = R"(
[columns.ward]
levels = ["north", "south", "west"]
[model]
x = )" + columns})));
  };
  EXPECT_EQ(names_with("[\"age\", \"ward\"]").at("b"),
            (std::vector<IndexNames>{{"age", "ward: south", "ward: west"}}));
  EXPECT_EQ(names_with("[\"ward\"]").at("b"), (std::vector<IndexNames>{{"south", "west"}}));
  EXPECT_EQ(names_with("[\"x.1\", \"x.2\"]").at("b"), (std::vector<IndexNames>{{}}));
}

TEST(LevelNames, DimensionsThatACategoryIndexesHaveItsLevels) {
  const auto names = level_names(bind_without_table(read_program({.model_text = R"(
data {
  int<lower=0> N;
  int J;
  vector[N] y;
  array[N] int<lower=1, upper=2> ward;
  array[N] int<lower=1, upper=2> sex;
  array[N] int<lower=1, upper=3> drug;
}
parameters {
  real mu; vector[2] a; vector[2] both; vector[3] wrong; matrix[2, 3] m; array[3] vector[2] v;
  vector[2] d; vector[J] j; vector[2] ranges; vector[2] unused;
}
transformed parameters { vector[2] r = 2 * a; }
model {
  vector[N] eta = mu + r[ward] + append_row(0, d)[drug] + wrong[ward] + m[ward, 1];
  for (n in 1:N) eta[n] += v[drug[n]][sex[n]] + both[ward[n]] + both[sex[n]] + ranges[1:2][ward[n]];
  y ~ normal(eta + j[sex], 1);
}
generated quantities {
  array[N] real p;
  for (n in 1:N) p[n] = m[ward[n], drug[n]];
}
)",
                                                                  .schema_text = R"(
[columns.ward]
levels = ["north", "south"]
[columns.sex]
levels = ["f", "m"]
[columns.drug]
levels = ["none", "one", "two"]
[public]
J = 2
)"})));
  const IndexNames wards = {"north", "south"}, sexes = {"f", "m"}, drugs = {"none", "one", "two"};
  const IndexNames none;
  EXPECT_EQ(names.at("r"), (std::vector<IndexNames>{wards}));
  EXPECT_EQ(names.at("d"), (std::vector<IndexNames>{{"one", "two"}}));
  EXPECT_EQ(names.at("m"), (std::vector<IndexNames>{wards, drugs}));
  EXPECT_EQ(names.at("v"), (std::vector<IndexNames>{drugs, sexes}));
  EXPECT_EQ(names.at("j"), (std::vector<IndexNames>{sexes}));
  for (const char* numbered : {"a", "both", "wrong", "ranges", "unused", "p"}) {
    EXPECT_EQ(names.at(numbered), (std::vector<IndexNames>{none})) << numbered;
  }
}

}  // namespace
}  // namespace dpvi
