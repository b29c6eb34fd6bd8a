#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/fit/mock/outcome_source.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// Executes the steps of an outcome program on mock records, 16 at a time in lanes.
class OutcomeSteps : public OutcomeSource {
 public:
  // The program must have been found.
  OutcomeSteps(std::shared_ptr<const OutcomeProgram> program, std::size_t theta_size);

  std::span<const RecordColumn> columns() const override { return program_->columns; }
  std::unique_ptr<OutcomeBlock> block(std::span<const double> theta) const override;
  std::vector<bool> run(std::span<const double> theta, std::span<MockRecord> records,
                        const SeededGenerator& generator,
                        const AllowedNumber& allowed) const override;

 private:
  class Block;

  // Origin of a number.
  struct Source {
    enum class Kind : std::uint8_t { known, by_theta, by_record };
    Kind kind = Kind::known;
    double value = 0.0;
    std::size_t place = 0;  // among the values of theta alone, or among the tapes
  };
  struct Argument {
    std::vector<Source> entries;
    std::size_t rows = 1;
    std::size_t columns = 1;
  };
  struct Step {
    const OutcomeStep* step = nullptr;
    std::vector<Source> operands;  // of the step's inverse operations
    std::vector<Source> nodes;
    std::vector<Argument> arguments;
    std::optional<Source> lower, upper, limit;
  };
  struct Tape {
    RecordTape tape;
    bool reads_outcomes = false;
  };

  Source source_of(NodeId node);
  Step compiled(const OutcomeStep& step);
  bool reads_outcomes(NodeId node) const;

  std::shared_ptr<const OutcomeProgram> program_;
  std::int32_t theta_size_;
  std::map<NodeId, Source> sources_;
  std::vector<NodeId> by_theta_;
  std::vector<Tape> tapes_;
  std::vector<Step> steps_;
  std::optional<UniformValues> values_of_theta_;
};

}  // namespace dpvi
