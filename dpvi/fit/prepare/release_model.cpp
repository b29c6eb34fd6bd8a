#include <dpvi/fit/prepare/release_model.hpp>

#include <utility>

#include <dpvi/stan/run/outcome_program.hpp>
#include <dpvi/tape/graph/graph_copy.hpp>
#include <dpvi/tape/graph/parameter_cut.hpp>

namespace dpvi {
namespace {

// Calls `visit` with every node of the steps, always in the same order.
template <class Steps, class Visit>
void visit_nodes(Steps& steps, const Visit& visit) {
  for (auto& step : steps) {
    for (auto& node : step.nodes) visit(node);
    for (auto& argument : step.arguments) {
      for (auto& node : argument.entries) visit(node);
    }
    for (auto& operation : step.inverse) visit(operation.operand);
    if (step.lower) visit(*step.lower);
    if (step.upper) visit(*step.upper);
    if (step.censoring) visit(step.censoring->limit);
  }
}

std::vector<bool> unbounded_entries(const StanModel& model) {
  std::vector<bool> all;
  for (const ModelParameter& parameter : model.parameters) {
    all.insert(all.end(), static_cast<std::size_t>(parameter.free_size),
               parameter.transform == TransformKind::identity);
  }
  return all;
}

}  // namespace

ReleaseModel::ReleaseModel(const StanModel& model) {
  // Both graphs in one: what they have in common is computed by the same nodes.
  Graph joint;
  std::vector<NodeId> roots = copy_graph(*model.graph, std::vector{model.record}, joint);
  OutcomeProgram law = *model.outcome_program;
  std::vector<NodeId> nodes;
  visit_nodes(law.steps, [&](NodeId node) { nodes.push_back(node); });
  const std::vector<NodeId> law_roots = copy_graph(*law.graph, nodes, joint);
  roots.insert(roots.end(), law_roots.begin(), law_roots.end());

  const std::vector<bool> entries = unbounded_entries(model);
  const ParameterCut cut = smallest_cut(joint, roots, entries);
  map_ = std::make_shared<const UniformMap>(joint, cut.theta, cut.nodes, model.free_size);
  for (const std::int32_t entry : cut.theta) {
    unbounded_.push_back(entries[static_cast<std::size_t>(entry)]);
  }
  unbounded_.resize(map_->size(), true);

  GraphOfCut in_release = in_cut(joint, roots, cut);
  StanModel records = model;
  records.parameters.clear();
  records.transformed_parameters.clear();
  records.generated.clear();
  records.drawn.clear();
  records.free_size = static_cast<std::int32_t>(map_->size());
  records.record = in_release.roots[0];
  std::size_t next = 1;
  visit_nodes(law.steps, [&](NodeId& node) { node = in_release.roots[next++]; });
  law.graph = in_release.graph;
  records.outcome_program = std::make_shared<const OutcomeProgram>(std::move(law));
  records.prior = in_release.flat;
  records.graph = std::move(in_release.graph);
  records_ = std::make_unique<const RecordModel>(std::move(records));
}

}  // namespace dpvi
