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
#include <dpvi/stan/facts/column_facts.hpp>
#include <dpvi/stan/facts/int_ranges.hpp>
#include <dpvi/stan/syntax/source_text.hpp>
#include <dpvi/stan/value/density_sites.hpp>
#include <dpvi/stan/value/draw_sites.hpp>
#include <dpvi/stan/value/scalar_draws.hpp>
#include <dpvi/stan/value/value.hpp>

namespace dpvi {

// Thrown when the program needs the value of an int that depends on the record, if the run may be
// split into one case per value.
struct CaseSplit {
  NodeId node;
  Spot spot;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool open = false;  // no declared bounds guarantee low <= value <= high
};

// Values that ints of the record have by assumption in one case.
using AssumedInts = std::map<NodeId, std::int64_t>;

// Upper limits for one run of a program. They stop a program long before it exhausts memory or runs
// forever.
struct ExecutionLimits {
  std::int64_t steps = 8'000'000;    // statements executed and entries computed
  std::int64_t entries = 4'000'000;  // per variable
  std::size_t nodes = 1'000'000;     // in the graph
  int depth = 2500;                  // nested statements, expressions and calls
  std::int64_t work = 60'000'000;    // to build the graph (GraphBuilder::limit_work)
  // Numbers computed once per draw and once per record. They bound the memory of a tape, which
  // holds the record part for 16 records at a time.
  std::int64_t draw_numbers = 16'000'000;
  std::int64_t record_numbers = 1'000'000;
};

// State shared by all parts of a running program: the graph it writes, the current source position,
// the limits, and error reporting.
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
  Spot spot;                  // of the current call or statement
  std::string_view function;  // the function being called
  const RecordFacts* facts = nullptr;
  const ComputedFacts* computed = nullptr;
  ComputedFacts* computes = nullptr;  // collects computed facts in a run on public records
  std::int64_t records = 0;  // number of records of this run; -1 if there are several tables
  // The records of this run are rows of units, which the program may use together.
  bool by_unit = false;
  std::int64_t units = 0;  // number of units of this run
  bool counting = false;   // the condition of a while loop is being evaluated
  UniformSource draws;     // for _rng functions; empty if this run makes no draws
  // If set, equal arguments give equal draws. This reveals whether a result depends on anything but
  // its arguments.
  bool draws_repeat = false;
  DrawSites* sites = nullptr;                                // collects draws that are made later
  DensitySites* densities = nullptr;                         // collects densities as symbols
  const std::vector<std::string>* variable_names = nullptr;  // indexed by RecordTrace::variable

  // Reports that the program fails on its inputs.
  [[noreturn]] void fail(std::string message, std::string hint = {}) const;
  [[noreturn]] void fail(const ErrorCode& code, std::string message, std::string hint = {}) const;
  // Reports a size mismatch. The message is more specific if exactly one of the sizes counts
  // records.
  [[noreturn]] void fail_sizes(std::string message, bool left_counts, bool right_counts) const;

  void spend(std::int64_t steps);
  // Fails for negative or excessive sizes; returns the size as the graph's integer type.
  std::int32_t checked_size(std::int64_t size);

  // The smallest and largest value that an int can take; fails if the declarations do not bound it.
  std::int64_t smallest(const Value& value, std::string_view what);
  std::int64_t largest(const Value& value, std::string_view what);

  // The value of an int that must be known before any record is read. `what` names it in messages,
  // e.g. "A size".
  std::int64_t known_int(const Value& value, std::string_view what);

  // The same for a size or a slice bound. Values outside low .. high make the program fail, so this
  // needs fewer declared bounds than known_int(), or none.
  std::int64_t known_inside(const Value& value, std::string_view what, double low, double high);

  // Identifies the current request for a fact.
  FactCall next_fact_call() {
    return {spot.line, spot.column, fact_calls_[{spot.line, spot.column}]++};
  }

  // Assumes values for some ints, and that the nodes in `outside` lie outside the cases of their
  // open splits. If `more` is set, known_int() may throw CaseSplit for further ints.
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
