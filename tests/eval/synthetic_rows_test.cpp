#include <dpvi/eval/synthetic_rows.hpp>

#include <cmath>

#include "tests/stan/model_reading.hpp"
#include "tests/support/bound_program.hpp"
#include "tests/support/error_text.hpp"

namespace dpvi {
namespace {

const std::string kData =
    "data { int<lower=0> N; vector[N] x; vector[N] y; matrix[N, 2] m; }\n"
    "parameters { real a; }\n";

struct Fixture {
  explicit Fixture(const std::string& rest, const std::string& schema = "")
      : bound(bind_program(kData + rest, schema)), read(kData + rest) {}

  std::vector<Replicate> pairs(const std::vector<Replicate>& asked = {}) const {
    return pair_outcomes(program, read.checked, read.data, asked);
  }

  std::vector<MockRecord> drawn(const std::vector<Replicate>& replicates,
                                std::vector<MockRecord> rows, std::uint64_t table = 0) const {
    const std::vector<double> theta = {2};
    SyntheticRows(program, bound.binding, replicates)
        .draw(rows, theta, {table, 0}, SeededGenerator(4), 2);
    return rows;
  }

  BoundProgram bound;
  ReadModel read;
  RowProgram program = build_row_program(read.checked, read.data, stan_functions(), read.options);
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs shown(const std::vector<Replicate>& replicates) {
  Pairs pairs;
  for (const Replicate& one : replicates) pairs.emplace_back(one.variable, one.quantity);
  return pairs;
}

const std::string kModel = "model { y ~ normal(a + x, 1); }\n";

TEST(PairOutcomes, ByNameThenByWhatIsLeft) {
  const auto with = [&](const std::string& quantities) {
    return Fixture(kModel + "generated quantities { " + quantities + " }");
  };
  EXPECT_EQ(shown(with("vector[N] y_rep = to_vector(normal_rng(a + x, 1));"
                       "vector[N] z = to_vector(normal_rng(a + x, 1));")
                      .pairs()),
            (Pairs{{"y", "y_rep"}}));
  EXPECT_EQ(shown(with("vector[N] simulated = to_vector(normal_rng(a + x, 1));").pairs()),
            (Pairs{{"y", "simulated"}}));
  EXPECT_EQ(shown(with("vector[N] one = to_vector(normal_rng(a + x, 1));"
                       "vector[N] two = to_vector(normal_rng(a + x, 1));")
                      .pairs({{"y", "two"}})),
            (Pairs{{"y", "two"}}));
}

TEST(PairOutcomes, AnOutcomeThatNothingDrawsIsRefused) {
  const Fixture none(kModel + "generated quantities { vector[N] p = a + x; }");
  const std::string text = error_text([&] { none.pairs(); });
  EXPECT_NE(text.find("the program cannot draw 'y'"), std::string::npos) << text;
  EXPECT_NE(text.find("y_rep"), std::string::npos) << text;
  EXPECT_NE(error_text<UsageError>([&] {
              none.pairs({{"y", "p"}});
            }).find("no _rng"),
            std::string::npos);
  EXPECT_NE(error_text<UsageError>([&] {
              none.pairs({{"y", "q"}});
            }).find("no quantity 'q'"),
            std::string::npos);
}

TEST(SyntheticRows, AQuantityThatReadsAReplacedVariableIsDrawnFromWhatWasDrawn) {
  const Fixture fixture(R"(model { x ~ normal(a, 1); y ~ normal(x, 0.001); }
generated quantities {
  vector[N] y_rep;
  vector[N] x_rep;
  for (n in 1:N) {
    x_rep[n] = normal_rng(a, 1);
    y_rep[n] = normal_rng(x[n], 0.001);
  }
})");
  const std::vector<MockRecord> rows(100, {{-50, 0, 1, 2}, {}});
  const auto drawn = fixture.drawn(fixture.pairs(), rows);
  double mean = 0;
  for (const MockRecord& row : drawn) {
    EXPECT_NEAR(row.reals[1], row.reals[0], 0.01);
    EXPECT_EQ(row.reals[2], 1);
    mean += row.reals[0] / 100;
  }
  EXPECT_NEAR(mean, 2, 0.5);  // five standard errors
  EXPECT_NE(fixture.drawn(fixture.pairs(), rows, 1)[0].reals[0], drawn[0].reals[0]);
  EXPECT_EQ(fixture.drawn(fixture.pairs(), rows)[7].reals, drawn[7].reals);
}

TEST(SyntheticRows, HowATableIsDividedMakesNoDifference) {
  const Fixture fixture(
      kModel + "generated quantities { vector[N] y_rep = to_vector(normal_rng(a + x, 1)); }");
  const std::vector<MockRecord> rows(100, {{1, 0, 0, 0}, {}});
  const auto whole = fixture.drawn(fixture.pairs(), rows);
  std::vector<MockRecord> divided = rows;
  const SyntheticRows synthetic(fixture.program, fixture.bound.binding, fixture.pairs());
  const std::vector<double> theta = {2};
  const std::span<MockRecord> parts(divided);
  synthetic.draw(parts.subspan(48), theta, {0, 48}, SeededGenerator(4), 1);
  synthetic.draw(parts.first(48), theta, {0, 0}, SeededGenerator(4), 1);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(divided[i].reals, whole[i].reals) << i;
  EXPECT_NE(divided[48].reals, divided[0].reals);
}

TEST(SyntheticRows, EntriesOfRowsLandInTheirColumnsAndWithinBounds) {
  const Fixture fixture(R"(model { for (n in 1:N) m[n] ~ normal(a, 1); }
generated quantities {
  matrix[N, 2] m_rep;
  for (n in 1:N) m_rep[n] = [normal_rng(10, 0.01), normal_rng(-10, 0.01)];
})",
                        "[model]\nm = [\"p\", \"q\"]\n");
  const auto drawn = fixture.drawn(fixture.pairs(), {{{0, 0, 0, 0}, {}}});
  EXPECT_NEAR(drawn[0].reals[2], 10, 0.1);
  EXPECT_NEAR(drawn[0].reals[3], -10, 0.1);
}

TEST(SyntheticRows, ADrawWithoutValueIsRefused) {
  const Fixture fixture(kModel + R"(generated quantities {
  vector[N] y_rep;
  for (n in 1:N) y_rep[n] = normal_rng(a, x[n]);
})");
  const std::string text = error_text([&] {
    fixture.drawn(fixture.pairs(), {{{-1, 0, 0, 0}, {}}});
  });
  EXPECT_NE(text.find("'y_rep' has no value"), std::string::npos) << text;
}

}  // namespace
}  // namespace dpvi
