#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/types/checked_program.hpp>
#include <dpvi/stan/value/draw_sites.hpp>

namespace dpvi {

struct StanModelOptions;

// One number of a record.
struct RecordColumn {
  bool integer = false;
  std::int32_t column = 0;  // reals and ints are numbered separately
  auto operator<=>(const RecordColumn&) const = default;
};

// Observation of an outcome up to a known limit. A drawn number beyond the limit is replaced by the
// limit.
struct Censoring {
  NodeId limit;
  bool above = true;    // numbers above the limit are censored, else those below
  bool beyond = false;  // a censored number is recorded just beyond the limit instead
  // The int that tells censored from observed numbers, if there is one, and its values.
  std::optional<RecordColumn> indicator;
  std::int32_t observed = 1;
  std::int32_t censored = 0;
};

// An operation x -> op(x, operand), or op(operand, x), that a program applies to an outcome before
// its density. Operations of one argument have the operand 0.
struct InverseOperation {
  Op op = Op::add;
  NodeId operand;
  bool operand_first = false;
};

// The distribution that always gives its only argument.
inline constexpr std::string_view kAtom = "atom";

// One step of the simulation of a record. A step with a guard is executed only where the guard, an
// earlier step, chose `guard_value`.
struct OutcomeStep {
  enum class Kind : std::uint8_t {
    draw,    // sets the columns `outcome` to a draw from `distribution`
    choose,  // chooses k with log weight `nodes`[k]: the component of a mixture
    decide   // chooses 1 if `nodes`[0] is not zero, else 0: a condition of the program
  };
  Kind kind = Kind::draw;
  int guard = -1;
  int guard_value = 0;
  std::vector<NodeId> nodes = {};

  std::string distribution = {};  // Stan's name without suffix, or kAtom
  bool draws_together = false;    // one variate of several numbers, by draw_vector()
  std::vector<DrawArgument> arguments = {};
  bool given_total = false;  // the last argument is the present total of the outcome
  std::vector<RecordColumn> outcome = {};
  std::vector<InverseOperation> inverse = {};    // to undo, in this order, after the draw
  std::optional<NodeId> lower = {}, upper = {};  // limits of a truncated distribution
  std::optional<Censoring> censoring = {};
};

// The law that a program's model block gives the outcomes of a record, as steps that simulate them
// given theta and the rest of the record. Outcomes are the record columns to the left of ~ or
// before the bar of a density. Nodes read the record with the outcomes simulated so far. No record
// is used to build it.
struct OutcomeProgram {
  std::shared_ptr<const Graph> graph;
  std::vector<OutcomeStep> steps;     // empty: no law was found
  std::vector<RecordColumn> columns;  // those that the steps set, without repetition
  // The latent variables that the steps set first, and the number of real columns with them. No
  // table has these columns; they exist while the steps are executed.
  std::vector<RecordColumn> latents;
  std::int32_t real_columns = 0;
  std::vector<std::string> outcomes;  // the data variables of these columns
  std::string description;            // the law in words, or the reason why there is none

  bool found() const { return !steps.empty(); }
};

// Never throws because of what the program contains: a program that cannot be run has no law.
OutcomeProgram build_outcome_program(const CheckedProgram& checked, const DataBlock& data,
                                     const FunctionRegistry& registry,
                                     const StanModelOptions& options);

}  // namespace dpvi
