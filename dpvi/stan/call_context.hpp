#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/column_facts.hpp>
#include <dpvi/stan/draw_sites.hpp>
#include <dpvi/stan/int_ranges.hpp>
#include <dpvi/stan/scalar_draws.hpp>
#include <dpvi/stan/source_text.hpp>
#include <dpvi/stan/value.hpp>

namespace dpvi {

// An int that depends on the record and has to be known here; thrown where it may be taken case by
// case.
struct CaseSplit {
  NodeId node;
  Spot spot;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool open = false;  // nothing says that it lies between them
};

// Values taken for granted in one case.
using AssumedInts = std::map<NodeId, std::int64_t>;

// Upper limits of one run of a program. They stop programs that would take all memory or never
// end, long before either happens.
struct ExecutionLimits {
  std::int64_t steps = 8'000'000;    // statements run and entries computed
  std::int64_t entries = 4'000'000;  // of one variable
  std::size_t nodes = 1'000'000;     // of the graph
  int depth = 2500;                  // nested statements, expressions and calls
  std::int64_t work = 60'000'000;    // of writing the graph (GraphBuilder::limit_work)
  // Numbers computed once a draw, and for each record: what a tape holds in memory, the latter for
  // 16 records at a time.
  std::int64_t draw_numbers = 16'000'000;
  std::int64_t record_numbers = 1'000'000;
};

// What every part of a running program shares: the graph it writes, the place it has reached, the
// limits, and how to fail.
class CallContext {
 public:
  CallContext(GraphBuilder& graph_builder, const FunctionRegistry& function_registry,
              std::string file_name, const ExecutionLimits& execution_limits)
      : builder(graph_builder),
        registry(function_registry),
        limits(execution_limits),
        ranges(graph_builder.graph()),
        file_name_(std::move(file_name)) {}

  GraphBuilder& builder;
  const FunctionRegistry& registry;
  const ExecutionLimits limits;
  IntRanges ranges;           // of ints that depend on the record
  Spot spot;                  // of the call or statement being run
  std::string_view function;  // the function being called
  const RecordFacts* facts = nullptr;
  const ComputedFacts* computed = nullptr;
  ComputedFacts* computes = nullptr;  // takes note of them in a run on public records
  std::int64_t records = 0;           // how many the program runs on
  bool counting = false;              // the condition of a while loop is being evaluated
  UniformSource draws;                // of _rng functions; empty where nothing is drawn
  // Equal arguments give equal draws: tells whether a result depends on anything but its arguments.
  bool draws_repeat = false;
  DrawSites* sites = nullptr;  // takes note of draws that are made later
  const std::vector<std::string>* variable_names = nullptr;  // of RecordTrace::variable

  // The program fails on what it was given.
  [[noreturn]] void fail(std::string message, std::string hint = {}) const;
  [[noreturn]] void fail(const ErrorCode& code, std::string message, std::string hint = {}) const;
  // Two sizes do not fit; says so if one of them counts records and the other does not.
  [[noreturn]] void fail_sizes(std::string message, bool left_counts, bool right_counts) const;

  void spend(std::int64_t steps);
  // Refuses negative and overlarge sizes; gives the size as the graph counts.
  std::int32_t checked_size(std::int64_t size);

  // The least and greatest value an int can take; fails where declarations do not tell.
  std::int64_t smallest(const Value& value, std::string_view what);
  std::int64_t largest(const Value& value, std::string_view what);

  // The value of an int that must be known before any record is read, e.g. "a size".
  std::int64_t known_int(const Value& value, std::string_view what);

  // The same for a size or the end of a slice, where values outside low .. high fail: fewer
  // declarations are needed, or none.
  std::int64_t known_inside(const Value& value, std::string_view what, double low, double high);

  // The call that now asks for a fact.
  FactCall next_fact_call() {
    return {spot.line, spot.column, fact_calls_[{spot.line, spot.column}]++};
  }

  // Takes values for granted, and that others lie outside the cases of an open split; with `more`,
  // lets known_int() throw CaseSplit for others.
  void assume(const AssumedInts& assumed, const std::set<NodeId>& outside, bool more);
  std::int64_t spent() const { return spent_; }

 private:
  std::optional<std::int64_t> assumed_case(NodeId node);

  std::string file_name_;
  std::int64_t spent_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> fact_calls_;
  std::set<NodeId> outside_;
  bool assumes_ = false;
  bool cases_allowed_ = false;
};

}  // namespace dpvi
