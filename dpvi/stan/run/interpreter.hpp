#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/stan/facts/record_dependence.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>
#include <dpvi/stan/types/function_lookup.hpp>
#include <dpvi/stan/value/call_context.hpp>
#include <dpvi/stan/value/index_axes.hpp>

namespace dpvi {

// One term of the log density and the statement that added it.
struct TargetTerm {
  NodeId node;
  Spot spot;
};

// Executes a checked program symbolically: values are nodes of a graph, and the log density is a
// list of terms. A known condition selects one branch. For a condition that depends on a record or
// on parameters, both branches are executed and their results blended.
class Interpreter {
 public:
  Interpreter(const StanProgram& program, const FunctionLookup& lookup, CallContext& context);

  Value evaluate(const StanExpression& expression);
  void execute(const StanStatement& statement);
  // These two do not throw if the program fails, unless it exceeds a limit. A failing statement
  // makes the variables that it would have changed unreadable; a failing expression has no value.
  // All other effects are rolled back. try_execute() returns the reason for the failure with
  // its line, or an empty string on success.
  std::string try_execute(const StanStatement& statement);
  std::optional<Value> try_evaluate(const StanExpression& expression);
  // The sizes in a declaration, evaluated.
  Dims declared_dims(const Declaration& declaration);

  // Keeps the terms of the statements inside a branch separate instead of blending each branch into
  // one sum. Graphs are slower, but every term has an exact source position.
  void keep_statements_apart() { statements_apart_ = true; }
  // Continues after a branch that fails as if it had not failed. This is for analysing what
  // statements depend on; the density is NaN there in any case.
  void run_past_failures() { past_failures_ = true; }
  // From now on, skips the statements for which can_be_left_out() is true.
  void leave_out(const RecordDependence* dependence) { left_out_ = dependence; }

  Value& slot(int number) { return state_.slots[static_cast<std::size_t>(number)]; }
  void add_term(NodeId node, Spot spot);
  std::vector<TargetTerm> take_terms() { return std::move(state_.terms); }
  CallContext& context() { return context_; }

 private:
  // The state that the two branches of a condition may leave different. Masks are nodes that are 1
  // where they hold: `active` continues execution, `broken` has left the innermost loop,
  // `continued` has left the current iteration.
  struct State {
    std::vector<Value> slots;
    std::vector<TargetTerm> terms;
    std::optional<Value> returned;
    NodeId active, broken, continued;
    std::set<NodeId> required;  // terms of require_inside(), so that none is added twice
  };

  Value evaluate_kind(const StanExpression& expression);
  Value evaluate_logical(const StanExpression& expression);
  Value evaluate_conditional(const StanExpression& expression);
  // Evaluates an operand that Stan evaluates only if the condition equals `holds`. Terms that it
  // adds to the density count only there.
  Value evaluate_where(const StanExpression& expression, NodeId condition, bool holds);
  // If a position that depends on a record is out of range, Stan fails. Here that record
  // contributes NaN, even if the program never uses the entry.
  void require_inside(const Value& base, std::span<const ResolvedIndex> indices, Spot spot);
  Value evaluate_array(const StanExpression& expression);
  Value evaluate_tuple(const StanExpression& expression);
  Value array_of(StanType type, const std::vector<Value>& elements);
  Value evaluate_row_vector(const StanExpression& expression);
  Value evaluate_call(const StanExpression& expression);
  Value evaluate_target();
  std::vector<Value> evaluate_all(const std::vector<ExpressionPtr>& expressions);
  std::vector<ResolvedIndex> evaluate_indices(const StanExpression& expression, const Value& base);
  ResolvedIndex evaluate_range(const StanIndex& index, std::int64_t size);
  Value call_user(int function, std::vector<Value> arguments, Spot spot);

  void execute_kind(const StanStatement& statement);
  void execute_declaration(const Declaration& declaration);
  // A value with all entries undefined; `outer` holds the sizes of the arrays around a tuple.
  Value undefined_value(const Declaration& declaration, const Dims& outer);
  void execute_assignment(const StanStatement& statement);
  void assign(const StanExpression& target, const Value& value);
  void execute_tilde(const StanStatement& statement);
  bool note_truncation(const StanStatement& statement, NodeId term);
  NodeId truncation(const StanStatement& statement, const std::vector<Value>& arguments);
  NodeId truncation_of_one(const StanStatement& statement, std::vector<Value> arguments);
  NodeId density_of(const StanStatement& statement, const char* suffix,
                    const std::vector<Value>& arguments);
  void execute_if(const StanStatement& statement);
  // Executes `yes` where the unknown condition holds and `no`, if present, elsewhere. Returns false
  // if `yes` fails for every record that takes it.
  bool execute_both(NodeId condition, const StanStatement& yes, const StanStatement* no, Spot spot);
  bool runs_branch(const StanStatement& branch, const State& before);
  void merge(NodeId condition, State& yes, State& no, const State& before, Spot spot);
  void execute_range_loop(const StanStatement& statement);
  void execute_each_loop(const StanStatement& statement);
  void execute_while(const StanStatement& statement);
  // State of the enclosing loop, saved while an inner loop runs.
  struct OuterLoop {
    NodeId broken, continued;
    bool record_loop = false;
    int record_loops = 0;
  };
  // Execution state besides State that an exception leaves modified.
  struct Snapshot {
    int depth = 0;
    int unknown_branches = 0;
    bool record_loop = false;
    int record_loops = 0;
    bool counting = false;
    const RecordDependence* left_out = nullptr;
  };
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);
  // Returns the reason why `part` failed; empty if it succeeded.
  std::string rollback_on_failure(const std::function<void()>& part);
  void forget_what_changes(const StanStatement& statement);
  OuterLoop enter_loop(bool over_records);
  void leave_loop(const OuterLoop& outer);
  // After the last iteration no path is active; a failed iteration fails for every record that
  // reaches it.
  enum class Iteration : std::uint8_t { more, failed, last };
  // Executes one loop iteration where `counts` holds.
  Iteration run_iteration(const StanStatement& body, NodeId counts);
  bool is_open(const Value& end, bool above);
  bool iteration_fails(const StanStatement& statement, std::int64_t at);
  std::int64_t failing_start(const StanStatement& statement, const Value& low);
  bool all_have_failed(const StanStatement& statement, const Value& low, std::int64_t at,
                       bool any_ran);
  void fail_outside(const Value& low, const Value& high, std::int64_t first, std::int64_t last,
                    Spot spot);
  bool ends_everything(const Value& returned) const;
  void execute_return(const StanStatement& statement);
  void execute_reject(const StanStatement& statement);

  NodeId constant(double value) { return context_.builder.constant(value); }
  bool is(NodeId mask, double value) const;
  // The union of two masks.
  NodeId either(NodeId a, NodeId b);
  NodeId either(NodeId a, NodeId b, int& questions);
  void add_blended_terms(NodeId condition, const State& yes, const State& no, Spot spot);

  const StanProgram& program_;
  const FunctionLookup& lookup_;
  CallContext& context_;
  State state_;
  const RecordDependence* left_out_ = nullptr;
  bool statements_apart_ = false;
  bool past_failures_ = false;
  bool record_loop_ = false;  // the innermost loop runs over records
  int record_loops_ = 0;      // number of enclosing loops over records in this function
  int unknown_branches_ = 0;  // number of unknown conditions around the current statement
  int depth_ = 0;
};

}  // namespace dpvi
