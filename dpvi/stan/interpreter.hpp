#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/function_lookup.hpp>
#include <dpvi/stan/indexing.hpp>
#include <dpvi/stan/record_dependence.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// One summand of the log density and the statement that added it.
struct TargetTerm {
  NodeId node;
  Spot spot;
};

// Runs a checked program symbolically: values are nodes of a graph, and the log density is a list
// of terms. A condition that is known chooses a branch; one that depends on a record or on
// parameters runs both branches and blends what they leave behind.
class Interpreter {
 public:
  Interpreter(const StanProgram& program, const FunctionLookup& lookup, CallContext& context);

  Value evaluate(const StanExpression& expression);
  void execute(const StanStatement& statement);
  // Nothing is thrown where the program fails, unless it is too large: the variables that the
  // statement would have changed cannot be read from then on, the expression has no value, and
  // nothing else is left of it. The statement tells why it failed, with the line; nothing if it
  // ran.
  std::string execute_if_it_runs(const StanStatement& statement);
  std::optional<Value> evaluate_if_it_runs(const StanExpression& expression);
  // The sizes a declaration asks for.
  Dims declared_dims(const Declaration& declaration);

  // Keeps what the statements inside a branch add apart, instead of one blended sum for both
  // branches: slower graphs, exact places.
  void keep_statements_apart() { statements_apart_ = true; }
  // Where a branch fails, goes on behind it as if it had not: for who asks what statements depend
  // on, since the density is NaN there anyway.
  void run_past_failures() { past_failures_ = true; }
  // From here on, leaves out what cannot be reached without records or random draws.
  void leave_out(const RecordDependence* dependence) { left_out_ = dependence; }

  Value& slot(int number) { return state_.slots[static_cast<std::size_t>(number)]; }
  void add_term(NodeId node, Spot spot);
  std::vector<TargetTerm> take_terms() { return std::move(state_.terms); }
  CallContext& context() { return context_; }

 private:
  // What the two branches of a condition may leave differently. Masks are nodes that are 1 where
  // they hold: `active` runs on, `broken` has left the innermost loop, `continued` this round.
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
  // A part of an expression that Stan runs only where the condition is as told: what it adds to
  // the density counts there alone.
  Value evaluate_where(const StanExpression& expression, NodeId condition, bool holds);
  // Where Stan would fail because of a position that depends on a record, that record contributes
  // NaN, whether or not the program uses what it has read or written there.
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
  // All entries undefined; `outer` are the sizes of the arrays around a tuple.
  Value undefined_value(const Declaration& declaration, const Dims& outer);
  void execute_assignment(const StanStatement& statement);
  void assign(const StanExpression& target, const Value& value);
  void execute_tilde(const StanStatement& statement);
  NodeId truncation(const StanStatement& statement, const std::vector<Value>& arguments);
  NodeId truncation_of_one(const StanStatement& statement, std::vector<Value> arguments);
  NodeId density_of(const StanStatement& statement, const char* suffix,
                    const std::vector<Value>& arguments);
  void execute_if(const StanStatement& statement);
  // Runs `yes` where the unknown condition holds and `no`, if there is one, elsewhere.
  // False if `yes` fails for all that take it.
  bool execute_both(NodeId condition, const StanStatement& yes, const StanStatement* no, Spot spot);
  bool runs_branch(const StanStatement& branch, const State& before);
  void merge(NodeId condition, State& yes, State& no, const State& before, Spot spot);
  void execute_range_loop(const StanStatement& statement);
  void execute_each_loop(const StanStatement& statement);
  void execute_while(const StanStatement& statement);
  // What holds around a loop.
  struct OuterLoop {
    NodeId broken, continued;
    bool record_loop = false;
    int record_loops = 0;
  };
  // Where a run stands, beside its state: what an exception on the way out leaves behind.
  struct Standing {
    int depth = 0;
    int unknown_branches = 0;
    bool record_loop = false;
    int record_loops = 0;
    bool counting = false;
    const RecordDependence* left_out = nullptr;
  };
  Standing standing() const;
  void stand_again(const Standing& standing);
  // Why the part failed; empty if it ran.
  std::string undone_if_it_fails(const std::function<void()>& part);
  void forget_what_changes(const StanStatement& statement);
  OuterLoop enter_loop(bool over_records);
  void leave_loop(const OuterLoop& outer);
  // After the last round no path runs on; a failed one fails for all that reach it.
  enum class Round : std::uint8_t { more, failed, last };
  // One round of a loop where `counts` holds.
  Round run_round(const StanStatement& body, NodeId counts);
  bool is_open(const Value& end, bool above);
  bool round_fails(const StanStatement& statement, std::int64_t at);
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
  // Where one of two masks holds.
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
  bool record_loop_ = false;  // the innermost loop goes over the records
  int record_loops_ = 0;      // how many such loops are around, in this function
  int unknown_branches_ = 0;  // how many unknown conditions are around the running statement
  int depth_ = 0;
};

}  // namespace dpvi
