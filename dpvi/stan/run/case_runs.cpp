#include <dpvi/stan/run/case_runs.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <dpvi/stan/run/run_failure.hpp>

namespace dpvi {
namespace {

// Limit on nested splits. Programs that need more, such as an endless while loop, are refused.
constexpr std::size_t kDeepest = 40;

using Place = std::pair<std::uint32_t, std::uint32_t>;
// The number of times each node is added, keyed by the statement that adds it.
using Counts = std::map<Place, std::map<NodeId, int>>;

Counts counted(const std::vector<TargetTerm>& terms) {
  Counts counts;
  for (const TargetTerm& term : terms) ++counts[{term.spot.line, term.spot.column}][term.node];
  return counts;
}

int count_of(const Counts& counts, const Place& place, NodeId node) {
  const auto at = counts.find(place);
  if (at == counts.end()) return 0;
  const auto found = at->second.find(node);
  return found == at->second.end() ? 0 : found->second;
}

// The terms common to all cases that run; they do not depend on the split.
Counts shared(const std::vector<std::optional<Counts>>& cases) {
  std::optional<Counts> common;
  for (const std::optional<Counts>& one : cases) {
    if (!one) continue;
    if (!common) common = one;
    for (auto& [place, nodes] : *common) {
      for (auto& [node, count] : nodes) count = std::min(count, count_of(*one, place, node));
    }
  }
  return common.value_or(Counts{});
}

void subtract(Counts& counts, const Counts& part) {
  for (auto& [place, nodes] : counts) {
    for (auto& [node, count] : nodes) count -= count_of(part, place, node);
    std::erase_if(nodes, [](const auto& entry) { return entry.second == 0; });
  }
  std::erase_if(counts, [](const auto& entry) { return entry.second.empty(); });
}

NodeId sum_at(GraphBuilder& builder, const Counts& counts, const Place& place) {
  NodeId sum = builder.constant(0.0);
  const auto at = counts.find(place);
  if (at == counts.end()) return sum;
  for (const auto& [node, count] : at->second) {
    for (int i = 0; i < count; ++i) sum = builder.add(sum, node);
  }
  return sum;
}

}  // namespace

CaseRuns::Terms CaseRuns::run() {
  ProgramRun program(setting_, builder_);
  program.assume(assumed_, outside_, spent_, assumed_.size() + outside_.size() < kDeepest);
  try {
    if (setting_.data.tables.empty()) {
      program.run_on_symbolic_record();
    } else {
      program.run_on_symbolic_row_of(table_);
    }
  } catch (const CaseSplit& found) {
    has_cases_ = true;
    spent_ = program.spent();
    return split(found);
  } catch (...) {
    spent_ = program.spent();
    throw;
  }
  spent_ = program.spent();
  columns_ = program.columns();
  latents_ = program.latents();
  return program.terms();
}

CaseRuns::Terms CaseRuns::split(const CaseSplit& found) {
  std::vector<std::optional<Terms>> cases;
  std::optional<RunFailure> failure;  // of the last case
  bool any_runs = false;
  const auto run_case = [&] {
    std::optional<Terms> terms;
    failure = run_failure([&] { terms = run(); });
    // If Stan fails for records of this case, they contribute NaN.
    if (failure && failure->kind != RunFailureKind::fails) throw failure->error;
    any_runs = any_runs || terms;
    cases.push_back(std::move(terms));
  };
  for (std::int64_t value = found.low; value <= found.high; ++value) {
    assumed_[found.node] = value;
    run_case();
    assumed_.erase(found.node);
  }
  if (found.open) {
    outside_.insert(found.node);
    run_case();
    outside_.erase(found.node);
  }
  if (!any_runs) throw failure->error;
  return joined(found, cases);
}

CaseRuns::Terms CaseRuns::joined(const CaseSplit& found,
                                 const std::vector<std::optional<Terms>>& cases) {
  std::vector<std::optional<Counts>> counts;
  for (const auto& terms : cases) {
    counts.push_back(terms ? std::optional(counted(*terms)) : std::nullopt);
  }
  const Counts common = shared(counts);
  Terms all;
  for (const auto& [place, nodes] : common) {
    for (const auto& [node, count] : nodes) {
      all.insert(all.end(), static_cast<std::size_t>(count), {node, {place.first, place.second}});
    }
  }
  const NodeId nothing = builder_.constant(std::numeric_limits<double>::quiet_NaN());
  const Place failing{found.spot.line, found.spot.column};
  std::set<Place> places;
  for (std::optional<Counts>& one : counts) {
    if (!one) {
      // A failed case keeps the common terms; this NaN term makes their sum NaN.
      one = Counts{{failing, {{nothing, 1}}}};
    } else {
      subtract(*one, common);
    }
    for (const auto& [place, nodes] : *one) places.insert(place);
  }
  const std::size_t inside = counts.size() - (found.open ? 1 : 0);
  for (const Place& place : places) {
    NodeId chosen = found.open ? sum_at(builder_, *counts.back(), place) : nothing;
    for (std::size_t i = 0; i < inside; ++i) {
      const double value = static_cast<double>(found.low) + static_cast<double>(i);
      const NodeId here = builder_.binary(Op::eq, found.node, builder_.constant(value));
      chosen = builder_.select(here, sum_at(builder_, *counts[i], place), chosen);
    }
    all.push_back({chosen, {place.first, place.second}});
  }
  return all;
}

}  // namespace dpvi
