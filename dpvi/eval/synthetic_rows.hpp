#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/eval/row_evaluator.hpp>
#include <dpvi/fit/mock_outcomes.hpp>

namespace dpvi {

// Which quantity draws which record variable. Asked for by the caller; else by its name (y_rep or
// the like for y); else, where one outcome and one quantity that draws are left and have as many
// numbers in a row, these two. Throws InputError for an outcome that nothing draws.
std::vector<Replicate> pair_outcomes(const RowProgram& program, const CheckedProgram& checked,
                                     const DataBlock& data, std::span<const Replicate> asked);

// Puts draws in place of what the rows hold, all at one theta. A quantity that reads a replaced
// variable is drawn after it, from what was drawn.
class SyntheticRows {
 public:
  // All must outlive this.
  SyntheticRows(const RowProgram& program, const Binding& binding,
                std::span<const Replicate> replicates);

  // Rows of table number `table`: other draws for each. Numbers that a column cannot hold are
  // brought to its nearest bound. Throws InputError where the program has no value.
  void draw(std::vector<MockRecord>& rows, std::span<const double> theta, std::uint64_t table,
            const SeededGenerator& generator, int threads) const;

 private:
  struct Target {
    const RowQuantity* quantity = nullptr;
    const BoundVariable* variable = nullptr;
  };
  // Quantities that can be drawn together.
  struct Pass {
    std::vector<Target> targets;
    RowEvaluator evaluator;
  };

  void overlay(const Pass& pass, std::span<const double> drawn, std::span<MockRecord> rows) const;
  void put(const BoundVariable& variable, std::size_t i, double number, MockRecord& row) const;

  const RowProgram& program_;
  const Binding& binding_;
  std::vector<Pass> passes_;
};

}  // namespace dpvi
