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

}  // namespace
}  // namespace dpvi
