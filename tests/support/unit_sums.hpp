#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <dpvi/gradient/record_gradients.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/falsify.hpp>
#include <tests/support/one_record_sum.hpp>

namespace dpvi {

// One thing that a sum over records of several rows may get wrong.
enum class UnitMutation {
  none,
  clip_per_row,    // each row is clipped, then a unit's rows are summed
  unmasked_lanes,  // a unit with fewer rows than its neighbours takes part as if it had more
  mean_of_table    // a unit counts by its share of all rows
};

struct UnitDatum {
  double a, b;
  std::int32_t y;
};
using UnitTable = std::vector<std::vector<UnitDatum>>;  // the rows of each unit

// The clipped sum over units of a logistic regression. Without a mutation it is the library's own.
class UnitSums {
 public:
  using Integers = std::vector<std::int64_t>;

  explicit UnitSums(UnitMutation mutation, double noise_multiplier = 1.3)
      : mutation_(mutation),
        settings_{.grid = NoiseGrid(noise_multiplier),
                  .clip_bound = 0.8,
                  .dimension = 3,
                  .max_records = 100000,
                  .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}} {}

  Integers sum(const UnitTable& units) const {
    if (mutation_ == UnitMutation::none) return real_sum(units);
    std::size_t longest = 0, all_rows = 0;
    for (const auto& unit : units) {
      longest = std::max(longest, unit.size());
      all_rows += unit.size();
    }
    Integers total(settings_.dimension + 1, 0);
    for (const auto& unit : units) {
      std::vector<std::vector<double>> rows = gradients(unit);
      if (mutation_ == UnitMutation::clip_per_row) {
        for (const auto& row : rows) add(total, row);
        continue;
      }
      if (mutation_ == UnitMutation::unmasked_lanes) {
        rows.resize(longest, gradients({{0.0, 0.0, 0}})[0]);
      }
      std::vector<double> whole(settings_.dimension, 0.0);
      for (const auto& row : rows) {
        for (std::size_t j = 0; j < whole.size(); ++j) whole[j] += row[j];
      }
      if (mutation_ == UnitMutation::mean_of_table) {
        for (double& entry : whole) entry /= static_cast<double>(all_rows);
      }
      add(total, whole);
    }
    return total;
  }

  std::int64_t integer_bound() const { return settings_.grid.integer_bound(); }

 private:
  Integers real_sum(const UnitTable& units) const {
    RecordTable raw(2, 1);
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      for (const UnitDatum& row : units[unit]) {
        raw.append(std::vector{row.a, row.b}, std::vector{row.y});
        raw.assign_last_row(static_cast<std::uint32_t>(unit));
      }
    }
    const RecordTable records = model_.prepare(std::move(raw));
    std::vector<std::uint64_t> all(records.record_count());
    std::iota(all.begin(), all.end(), 0u);
    RecordGradients made(model_.tape(), records, 1);
    ClippedSum sum = made.clipped_sum(settings_, Coordinates::identity(3), theta_, all);
    return integers_for_tests(sum);
  }

  // Of each row, as a record of its own.
  std::vector<std::vector<double>> gradients(const std::vector<UnitDatum>& rows) const {
    RecordTable raw(2, 1);
    for (const UnitDatum& row : rows) raw.append(std::vector{row.a, row.b}, std::vector{row.y});
    const RecordTable records = model_.prepare(std::move(raw));
    RecordGradients made(model_.tape(), records, 1);
    std::vector<std::vector<double>> result;
    for (std::uint64_t i = 0; i < records.record_count(); ++i) {
      result.push_back(made.plain_value(theta_, {&i, 1}).gradient);
    }
    return result;
  }

  void add(Integers& total, const std::vector<double>& gradient) const {
    ClippedSum one = one_record_sum(settings_, gradient);
    for (std::size_t j = 0; j < total.size(); ++j) total[j] += integers_for_tests(one)[j];
  }

  UnitMutation mutation_;
  ClipSettings settings_;
  RecordModel model_ = bind_program(kLogisticProgram).model;
  std::vector<double> theta_ = {0.2, -1.3, 0.7};
};

// Units of one row and of a thousand, rows that pull all the same way, and opposites.
inline UnitTable sensitivity_units() {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> law;
  UnitTable units;
  units.emplace_back(1000, UnitDatum{30.0, -20.0, 1});
  units.emplace_back(1, UnitDatum{0.001, 0.0, 0});
  units.emplace_back(7, UnitDatum{-30.0, 20.0, 0});
  for (std::size_t i = 0; i < 24; ++i) {
    std::vector<UnitDatum>& unit = units.emplace_back();
    for (std::size_t j = 0; j <= i % 5; ++j) {
      unit.push_back({law(engine), 3.0 * law(engine), static_cast<std::int32_t>(engine() % 2)});
    }
  }
  return units;
}

// Adding a unit with all its rows must move the sum by that unit's own vector, of norm at most D.
inline Objection object_to_unit_sensitivity(UnitMutation mutation) {
  const UnitSums sums(mutation);
  const UnitTable units = sensitivity_units();
  UnitTable some;
  UnitSums::Integers before = sums.sum({});
  for (const auto& unit : units) {
    some.push_back(unit);
    const UnitSums::Integers after = sums.sum(some), alone = sums.sum({unit});
    UnitSums::Integers move(after.size());
    for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
    if (exact_square_sum(alone) > exact_square(sums.integer_bound()) ||
        exact_square_sum(move) > exact_square(sums.integer_bound())) {
      return "a unit moves the sum by more than the bound";
    }
    if (move != alone) return "a unit's part in the sum depends on other units";
    before = after;
  }
  return {};
}

// Replacing a unit's whole content, rows and their number, must move the sum by the difference of
// two units' vectors: by 2 D at most.
inline Objection object_to_unit_substitution(UnitMutation mutation) {
  const UnitSums sums(mutation);
  const UnitTable units = sensitivity_units();
  const UnitSums::Integers before = sums.sum(units);
  const std::vector<UnitDatum> contents[] = {std::vector<UnitDatum>(1000, {-30.0, 20.0, 0}),
                                             {{0.5, -0.5, 1}}};
  for (const std::size_t changed : {std::size_t{0}, std::size_t{1}, units.size() - 1}) {
    for (const auto& content : contents) {
      UnitTable other = units;
      other[changed] = content;
      const UnitSums::Integers after = sums.sum(other);
      const UnitSums::Integers old = sums.sum({units[changed]}), made = sums.sum({content});
      for (std::size_t j = 0; j < after.size(); ++j) {
        if (after[j] - before[j] != made[j] - old[j]) {
          return "a replaced unit moves the sum by something else than its own vectors";
        }
      }
    }
  }
  return {};
}

}  // namespace dpvi
