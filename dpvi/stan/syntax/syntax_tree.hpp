#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/stan/syntax/source_text.hpp>
#include <dpvi/stan/syntax/stan_type.hpp>

namespace dpvi {

struct StanExpression;
struct StanStatement;
using ExpressionPtr = std::unique_ptr<StanExpression>;
using StatementPtr = std::unique_ptr<StanStatement>;

enum class Operator : std::uint8_t {
  none,
  logical_or,
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  integer_divide,
  left_divide,
  element_multiply,
  element_divide,
  power,
  element_power,
  logical_not,
  negate,
  plus
};

std::string_view symbol_of(Operator op);

// x[:], x[i], x[i:], x[:j], x[i:j]
enum class IndexKind : std::uint8_t { all, single, from, to, between };

struct StanIndex {
  IndexKind kind = IndexKind::all;
  Spot spot;
  ExpressionPtr low;   // the single index, or the range's lower end
  ExpressionPtr high;  // the range's upper end
};

enum class ExpressionKind : std::uint8_t {
  integer_literal,     // number
  real_literal,        // number
  variable,            // name, slot
  call,                // name, operands, with_bar, function, over_slices
  index,               // operands[0], indices
  unary,               // op, operands[0]
  binary,              // op, operands[0..1]
  conditional,         // operands[0] ? operands[1] : operands[2]
  transpose,           // operands[0]
  array_literal,       // operands
  tuple_literal,       // operands
  projection,          // operands[0], number: the component, from 1
  row_vector_literal,  // operands
  target_value         // target()
};

// A node of the tree. The comments of ExpressionKind list the fields that each kind uses. The
// checker fills in `type`, `slot` and `function`.
struct StanExpression {
  ExpressionKind kind = ExpressionKind::integer_literal;
  Operator op = Operator::none;
  bool with_bar = false;
  bool over_slices = false;  // reduce_sum of the user-defined function `name`
  StanType type;
  Spot spot;
  int depth = 1;      // height of the tree below and including this node
  int slot = -1;      // index of the variable in its frame
  int function = -1;  // index of the user-defined function, or -1 for one of Stan's
  double number = 0;
  std::string name;
  std::vector<ExpressionPtr> operands;
  std::vector<StanIndex> indices;
};

// Constraints that are part of the type's name rather than in angle brackets.
enum class SpecialType : std::uint8_t {
  none,
  ordered,
  positive_ordered,
  simplex,
  unit_vector,
  sum_to_zero_vector,
  cholesky_factor_corr,
  cholesky_factor_cov,
  corr_matrix,
  cov_matrix,
  sum_to_zero_matrix,
  column_stochastic_matrix,
  row_stochastic_matrix
};

std::string_view name_of(SpecialType special);

struct Declaration;

// The type before a declared name (and, in the old syntax, the array sizes after it).
struct DeclaredType {
  DeclaredType() = default;
  ~DeclaredType();
  DeclaredType(const DeclaredType&) = delete;
  DeclaredType& operator=(const DeclaredType&) = delete;

  StanBase base = StanBase::error;
  SpecialType special = SpecialType::none;
  Spot spot;
  std::vector<ExpressionPtr> sizes;  // of the vector or matrix; two for every matrix
  ExpressionPtr lower, upper, offset, multiplier;
  std::vector<std::unique_ptr<Declaration>> components;  // of a tuple, without names

  bool constrained() const {
    return special != SpecialType::none || lower || upper || offset || multiplier;
  }
};

// One declared variable. Variables declared together share `declared`.
struct Declaration {
  Spot spot;
  std::string name;
  std::shared_ptr<DeclaredType> declared;
  std::shared_ptr<std::vector<ExpressionPtr>> array_sizes;
  ExpressionPtr initial;
  int slot = -1;

  StanType type() const;
};

enum class StatementKind : std::uint8_t {
  declaration,    // declaration
  assignment,     // target op= value
  tilde,          // target ~ name(arguments) T[lower, upper]
  target_plus,    // target += value
  jacobian_plus,  // jacobian += value
  call,           // value
  if_else,        // value, body[0], body[1] if there is an else
  for_range,      // name, slot, lower, upper, body[0]
  for_each,       // name, slot, value, body[0]
  while_loop,     // value, body[0]
  block,          // body
  profile,        // body
  break_loop,
  continue_loop,
  return_value,  // value, or nothing in a void function
  print,         // arguments
  reject,        // arguments
  fatal_error,   // arguments
  skip
};

struct StanStatement {
  StatementKind kind = StatementKind::skip;
  Operator op = Operator::none;
  bool truncated = false;
  Spot spot;
  int depth = 1;
  int slot = -1;
  int function = -1;  // tilde: the user-defined density, or -1
  std::string name;
  ExpressionPtr target;  // the left side of an assignment or of ~
  ExpressionPtr value;
  ExpressionPtr lower, upper;
  std::vector<ExpressionPtr> arguments;  // string literals of print and reject are dropped
  std::vector<StatementPtr> body;
  std::unique_ptr<Declaration> declaration;
};

// The variables that an assignment to `target` changes: one, or those of a tuple.
std::vector<const StanExpression*> assigned_variables(const StanExpression& target);

struct FunctionArgument {
  bool data_only = false;
  StanType type;
  std::string name;
  Spot spot;
};

struct FunctionDefinition {
  Spot spot;
  std::string name;
  StanType result;
  std::vector<FunctionArgument> arguments;  // they occupy the first slots of the frame
  StatementPtr body;                        // empty for a forward declaration
  int frame_size = 0;
};

enum class BlockKind : std::uint8_t {
  functions,
  data,
  transformed_data,
  parameters,
  transformed_parameters,
  model,
  generated_quantities
};
inline constexpr int kBlockCount = 7;

std::string_view name_of(BlockKind block);

struct ProgramBlock {
  bool present = false;
  Spot spot;
  std::vector<StatementPtr> statements;
};

struct StanProgram {
  std::vector<FunctionDefinition> functions;
  std::array<ProgramBlock, kBlockCount> blocks;
  int frame_size = 0;  // number of slots of all variables outside functions

  ProgramBlock& block(BlockKind kind) { return blocks[static_cast<std::size_t>(kind)]; }
  const ProgramBlock& block(BlockKind kind) const { return blocks[static_cast<std::size_t>(kind)]; }
};

}  // namespace dpvi
