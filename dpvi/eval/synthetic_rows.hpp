#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/eval/row_evaluator.hpp>
#include <dpvi/fit/mock/mock_outcomes.hpp>

namespace dpvi {

// Pairs record variables with the quantities that draw them. The caller's pairs come first, then
// pairs by name (such as y_rep for y). If one outcome is left, it is paired with the only unused
// quantity that draws as many numbers per row. Throws InputError for an outcome that nothing draws.
std::vector<Replicate> pair_outcomes(const RowProgram& program, const CheckedProgram& checked,
                                     const DataBlock& data, std::span<const Replicate> asked);

// Replaces values of the rows by draws, all at one theta. A quantity that reads a replaced variable
// is drawn after it, from the drawn values.
class SyntheticRows {
 public:
  // All arguments must outlive this.
  SyntheticRows(const RowProgram& program, const Binding& binding,
                std::span<const Replicate> replicates);

  // Rows of table number `table` from row `first` on, which must be a multiple of 16. Every table
  // gets different draws; how it is divided makes no difference.
  struct Part {
    std::uint64_t table = 0;
    std::uint64_t first = 0;
  };

  // Draws these rows. Numbers that a column cannot hold are clamped to its nearest bound. Throws
  // InputError if the program has no value.
  void draw(std::span<MockRecord> rows, std::span<const double> theta, const Part& part,
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
