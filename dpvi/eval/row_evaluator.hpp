#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/eval/row_table.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/stan/run/row_program.hpp>
#include <dpvi/stan/value/scalar_draws.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Evaluates numbers of a row program on many rows at many points theta: 16 rows at a time in lanes,
// in double precision. _rng functions draw anew for every row and point.
class RowEvaluator {
 public:
  // Each of `outputs` must have one entry. The program must outlive this.
  RowEvaluator(const RowProgram& program, std::span<const NodeId> outputs);

  std::size_t outputs() const { return outputs_.size(); }

  // Mutable state; each thread needs its own.
  class Workspace;

  // Draws depend on the generator, theta's position in the list and the row's number in the whole
  // table alone, not on how the table is divided. `first_row` must be a multiple of 16.
  struct Task {
    const RowTable& rows;
    std::uint64_t first_row = 0;
    std::span<const std::vector<double>> thetas;
    const SeededGenerator& generator;
    std::uint64_t first_step = 0;  // differs between tasks that draw different things
  };

  // Writes out[(output * rows + row) * thetas + t] for each output, row and theta t. The number is
  // NaN if the program has no value.
  void evaluate(Workspace& workspace, const Task& task, std::span<double> out) const;

 private:
  friend class Workspace;

  // Origin of a number of the program.
  struct Source {
    enum class Kind : std::uint8_t { known, drawn, computed };
    Kind kind = Kind::known;
    double value = 0.0;
    std::size_t place = 0;  // index of the drawn column or of the tape
  };
  struct Tape {
    RecordTape tape;
    bool reads_draws = false;
  };
  struct Argument {
    std::vector<Source> entries;
    std::size_t rows = 1;
    std::size_t columns = 1;
  };
  struct Site {
    const DrawSite* site = nullptr;
    std::vector<Argument> arguments;
  };

  Source source_of(NodeId node);
  std::vector<bool> needed_sites(std::span<const NodeId> outputs) const;
  void mark_sites_read_by(NodeId node, std::vector<bool>& needed) const;
  bool reads_by_program(NodeId node) const;

  const RowProgram& program_;
  std::map<NodeId, std::size_t> tape_of_;
  std::vector<Tape> tapes_;
  std::vector<Site> sites_;
  bool runs_program_ = false;  // true if some output needs RowProgram::by_program
  std::vector<Source> outputs_;
};

class RowEvaluator::Workspace {
 public:
  explicit Workspace(const RowEvaluator& evaluator);

 private:
  friend class RowEvaluator;

  // State of one tape: columns for all blocks of a task, or for the current block if the tape reads
  // draws.
  struct Columns {
    explicit Columns(const RecordTape& program) : tape(program), preparer(program) {}

    TapeWorkspace<double> tape;
    RecordPreparer preparer;
    LaneBuffer<double> reals{0};
    std::vector<std::int32_t> integers = {};
    double result[kLanes] = {};  // of the current block, once it is computed
    bool computed = false;
  };

  void begin_task(const RowTable& rows);
  void begin_theta(std::span<const double> theta);
  void begin_block(std::size_t first_row);
  void prepare(std::size_t tape, std::size_t first_row, std::size_t block);
  void compute(const Source& source);
  double value(const Source& source, std::size_t lane) const;
  void draw(const Site& site, const UniformSource& uniform);
  void run_program(const UniformSource& uniform);
  std::vector<double> draw_together(const Site& site, const UniformSource& uniform,
                                    std::size_t lane) const;

  const RowEvaluator& evaluator_;
  const RowTable* rows_ = nullptr;
  std::vector<std::unique_ptr<Columns>> columns_;
  std::vector<double> drawn_;  // of the current block: column * kLanes + lane
  std::vector<double> row_;    // one row, followed by its drawn columns
  std::vector<double> arguments_;
  std::span<const double> theta_;
  std::size_t first_row_ = 0;  // of the current block
  std::size_t lanes_ = 0;      // number of lanes that hold a row
};

}  // namespace dpvi
