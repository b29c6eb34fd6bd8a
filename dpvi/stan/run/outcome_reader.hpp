#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/run/outcome_program.hpp>
#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// Thrown when the terms of a program are not the law of its outcomes.
struct NoOutcomeLaw {
  std::string reason;
};

inline bool is_density(std::string_view suffix) { return suffix != "_lcdf" && suffix != "_lccdf"; }

// Derives the steps that simulate a record from the terms of a run whose densities are symbols. A
// law is a sum of densities, each of other columns; log_sum_exp of such sums and log weights; and a
// choice between such sums by a condition.
class OutcomeReader {
 public:
  OutcomeReader(CallContext& context, const DensitySites& sites)
      : context_(context), builder_(context.builder), sites_(sites) {}

  void read(const TargetTerm& term);
  // The steps of all terms, in an order in which no step reads a column before it is set.
  std::vector<OutcomeStep> ordered_steps() const;

 private:
  struct Guard {
    int step = -1;
    int value = 0;
  };

  // Adds the steps of a scalar node. The part of the sum that contains no density is added to
  // `rest`.
  void read_node(NodeId node, Guard guard, NodeId& rest);
  void read_product(const Node& product, Guard guard, NodeId& rest);
  void read_difference(const Node& difference, Guard guard, NodeId& rest);
  void read_mixture(NodeId terms, Guard guard);
  void read_choice(const Node& select, Guard guard, NodeId& rest);
  void read_density(const DensitySite& site, Guard guard);
  void read_linear_model(const DensitySite& site, Guard guard);
  // True if the two branches are a density and the tail probability beyond a known limit.
  bool read_censoring(const Node& select, Guard guard);
  bool read_truncation(NodeId probability, OutcomeStep& step);
  bool read_atom(const Node& select, Guard guard);
  void set_indicator(Censoring& censoring, NodeId mask, const RecordColumn& outcome,
                     bool censored_mask);

  void add_draw(const DensityRow& row, std::string_view distribution,
                std::span<const Value> arguments, const DensitySite& site, Guard guard);
  OutcomeStep& add_step(OutcomeStep::Kind kind, Guard guard);
  std::vector<RecordColumn> outcome_columns(const Value& variate);
  RecordColumn outcome_column(NodeId node, OutcomeStep& step);
  void check_set_once(const OutcomeStep& step) const;
  bool exclude_each_other(const OutcomeStep& one, const OutcomeStep& other) const;

  NodeId entry(NodeId node, std::int32_t index);
  const DensitySite* site_of(NodeId node) const;
  bool contains_density(NodeId node);
  bool is_flat(NodeId node) const;
  std::set<RecordColumn> columns_read(std::span<const NodeId> nodes) const;
  std::set<RecordColumn> columns_read(const OutcomeStep& step) const;
  [[noreturn]] void refuse(std::string reason) const;

  CallContext& context_;
  GraphBuilder& builder_;
  const DensitySites& sites_;
  std::vector<OutcomeStep> steps_;
  std::map<std::size_t, const DensitySite*> sites_of_steps_;  // of draws
  std::vector<bool> contains_density_;                        // by node
  Spot spot_;
};

}  // namespace dpvi
