#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/unit_attack.hpp>

// Measures how far one unit moves the releases of the production loop if the model uses its rows
// together: terms that join neighbouring rows, and a latent variable of the unit.

namespace dpvi {
namespace {

constexpr std::size_t kDimension = 4;
constexpr std::int32_t kMostRows = 5;

// Units of one row up to more than the limit, with ordinary rows between hostile ones.
RowGradients hostile_units() {
  HostileGradients<float> gradients(kDimension, 23);
  RowGradients units;
  for (std::size_t i = 0; i < 40; ++i) {
    Gradients& unit = units.emplace_back();
    for (std::size_t row = 0; row <= i % 8; ++row) {
      const std::vector<float> numbers =
          (i + row) % 5 == 0 ? gradients.any() : gradients.normal(std::ldexp(1.0, int(i % 7) - 4));
      unit.emplace_back(numbers.begin(), numbers.end());
    }
  }
  return units;
}

class JoinedRowsInfluence : public testing::TestWithParam<Precision> {
 protected:
  Integers sum(const RowGradients& units) const {
    return loop_.first_sum(loop_.units(units), run_);
  }

  SumOfUnits sum_of_units() const {
    return [this](const RowGradients& units) { return sum(units); };
  }

  const AttackedLoop loop_ = AttackedLoop::with_joined_rows(kMostRows, kDimension, GetParam());
  AttackedRun run_{.grid = NoiseGrid(1.3),
                   .clip_bound = 0.8,
                   .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}};
};

// Guarantee: what a unit gets depends on its own rows alone, in the order of the table.
TEST_P(JoinedRowsInfluence, IsAUnitsOwnVectorOfNormAtMostTheBound) {
  const std::size_t moving =
      expect_each_moves_by_its_own_vector(hostile_units(), sum_of_units(), run_.grid);
  EXPECT_GE(moving, 20u) << "ordinary units count";
}

TEST_P(JoinedRowsInfluence, OfAReplacedUnitIsTheDifferenceOfTwoVectors) {
  const RowGradients units = hostile_units();
  const Gradients contents[] = {Gradients(9, {1e30, -1e30, 1.0, 0.0}), {{0.5, -0.5, 1.0, 0.25}}};
  const std::size_t changed[] = {0, 7, units.size() - 1};
  expect_replaced_moves_by_difference(units, sum_of_units(), changed, contents);
}

// The rows of units may lie anywhere in the table. Only their order within a unit matters.
TEST_P(JoinedRowsInfluence, DoesNotDependOnWhereAUnitsRowsLieOrOnThreads) {
  const RowGradients units = hostile_units();
  const Integers expected = sum(units);
  std::mt19937_64 engine(3);
  for (const int threads : {1, 3}) {
    std::vector<std::size_t> owners;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      owners.insert(owners.end(), units[unit].size(), unit);
    }
    std::shuffle(owners.begin(), owners.end(), engine);
    std::vector<std::size_t> next(units.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (const std::size_t unit : owners) order.emplace_back(unit, next[unit]++);
    run_.threads = threads;
    EXPECT_EQ(loop_.first_sum(loop_.rows_in_order(units, order), run_), expected);
  }
}

// Rows beyond the limit have no part, whatever they hold; earlier ones in another order do.
TEST_P(JoinedRowsInfluence, HasOnlyTheFirstRowsInTheirOrder) {
  Gradients rows = {{0.1, 0.2, -0.1, 0.3},
                    {0.3, -0.2, 0.1, 0.1},
                    {0.2, 0.1, 0.1, -0.2},
                    {0.1, 0.1, 0.2, 0.2},
                    {-0.3, 0.2, 0.0, 0.1}};
  const Integers first = sum({rows});
  Gradients longer = rows;
  longer.push_back({1e9, 1.0, -1.0, 1e-9});
  EXPECT_EQ(sum({longer}), first);
  std::swap(rows[0], rows[1]);
  EXPECT_NE(sum({rows}), first);
}

INSTANTIATE_TEST_SUITE_P(Precisions, JoinedRowsInfluence,
                         testing::Values(Precision::single_precision, Precision::double_precision));

}  // namespace
}  // namespace dpvi
