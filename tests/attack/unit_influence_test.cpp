#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/unit_attack.hpp>

// Measures how far one unit, with all its rows, moves the releases of the production loop.

namespace dpvi {
namespace {

// A row of zeros has a nonzero gradient here, so an empty lane that counted as a row would show.
class UnitInfluence : public testing::Test {
 protected:
  static constexpr std::size_t kDimension = 3;

  // Units have one row or up to a thousand; some have parallel gradients, others opposite ones.
  static RowGradients hostile_units() {
    std::mt19937_64 engine(5);
    std::normal_distribution<double> law;
    RowGradients units = {Gradients(1000, {30.0, -20.0, 1.0}), Gradients(1, {0.001, 0.0, 0.0}),
                          Gradients(7, {-30.0, 20.0, -1.0})};
    for (std::size_t i = 0; i < 24; ++i) {
      Gradients& unit = units.emplace_back();
      for (std::size_t j = 0; j <= i % 5; ++j) {
        unit.push_back({law(engine), 3.0 * law(engine), 0.3 * law(engine)});
      }
    }
    return units;
  }

  Integers sum(const RowGradients& units) const {
    return loop_.first_sum(loop_.units(units), run_);
  }

  SumOfUnits sum_of_units() const {
    return [this](const RowGradients& units) { return sum(units); };
  }

  const AttackedLoop loop_{kDimension, Precision::single_precision, 1.0};
  const AttackedRun run_{.grid = NoiseGrid(1.3),
                         .clip_bound = 0.8,
                         .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}};
};

TEST_F(UnitInfluence, IsAUnitsOwnVectorOfNormAtMostTheBound) {
  expect_each_moves_by_its_own_vector(hostile_units(), sum_of_units(), run_.grid);
}

TEST_F(UnitInfluence, OfAReplacedUnitIsTheDifferenceOfTwoVectors) {
  const RowGradients units = hostile_units();
  const Gradients contents[] = {Gradients(1000, {-30.0, 20.0, 0.0}), {{0.5, -0.5, 1.0}}};
  const std::size_t changed[] = {0, 1, units.size() - 1};
  expect_replaced_moves_by_difference(units, sum_of_units(), changed, contents);
}

// The clipper clips the sum over a unit's rows.
TEST_F(UnitInfluence, OfSeveralRowsIsThatOfTheirSum) {
  EXPECT_EQ(sum({{{0.25, 0.0, 0.0}, {0.0, 0.125, 0.0}, {0.125, 0.0, 0.25}}}),
            sum({{{0.375, 0.125, 0.25}}}));
  EXPECT_EQ(sum({{{16.0, 0.0, 0.0}, {-16.0, 0.25, 0.0}}}), sum({{{0.0, 0.25, 0.0}}}));
}

}  // namespace
}  // namespace dpvi
