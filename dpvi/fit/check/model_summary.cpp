#include <dpvi/fit/check/model_summary.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/data/indexed_columns.hpp>
#include <dpvi/stan/facts/record_dependence.hpp>

namespace dpvi {
namespace {

// The data block with undeclared public data in the role of records, and all other data known.
DataBlock undeclared_as_records(const CheckState& state) {
  DataBlock unknown = state.check.data;
  for (DataBlockVariable& variable : unknown.variables) {
    const std::string& name = variable.declaration->name;
    const bool mock =
        std::find(state.undeclared.begin(), state.undeclared.end(), name) != state.undeclared.end();
    variable.role = mock ? DataRole::record : DataRole::known;
  }
  return unknown;
}

// A size is known if it depends on no mock value.
void note_sizes(CheckState& state) {
  const StanModel& model = state.check.model->stan();
  const DataBlock unknown = undeclared_as_records(state);
  const RecordDependence on_unknown(state.program, unknown, false);
  std::int64_t total = 0;
  bool all_known = true;
  std::size_t at = 0;
  for (const StatementPtr& statement : state.program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const std::vector<std::string>& latents = state.check.local_latents;
    if (std::ranges::count(latents, statement->declaration->name) > 0) continue;
    const ModelParameter& parameter = model.parameters[at];
    ParameterSummary& summary = state.check.parameters[at++];
    if (on_unknown.on_records(statement->declaration->slot)) {
      all_known = false;
      continue;
    }
    summary.size = parameter.value.dims.total();
    summary.unconstrained = parameter.free_size;
    total += parameter.free_size;
  }
  if (all_known) state.check.unconstrained_dim = total;
}

void name_columns(CheckState& state) {
  for (const RecordVariable& variable : state.check.model->stan().row_variables()) {
    if (variable.variable->declaration->name == TableNumber::kName) continue;
    RecordDataSummary& summary = state.record_data(variable.variable->declaration->name);
    if (state.check.with_mock_data || !summary.columns.empty()) continue;
    const std::vector<std::size_t> sizes(variable.sizes.begin(), variable.sizes.end());
    summary.columns = element_names(summary.name, sizes);
  }
}

std::vector<std::string> declared_in(const StanProgram& program, BlockKind block) {
  std::vector<std::string> names;
  for (const StatementPtr& statement : program.block(block).statements) {
    if (statement->kind == StatementKind::declaration) {
      names.push_back(statement->declaration->name);
    }
  }
  return names;
}

void note_outputs(CheckState& state) {
  ModelCheck& check = state.check;
  const StanModel& model = check.model->stan();
  for (const NamedValue& value : model.transformed_parameters) {
    check.transformed.kept.push_back(value.name);
  }
  for (const NamedValue& value : model.generated) check.generated.kept.push_back(value.name);
  for (const std::string& name : model.drawn) check.generated.kept.push_back(name);
  const std::vector<std::string> transformed =
      declared_in(state.program, BlockKind::transformed_parameters);
  for (const DroppedQuantity& quantity : model.dropped) {
    const bool early =
        std::find(transformed.begin(), transformed.end(), quantity.name) != transformed.end();
    BlockOutputs& outputs = early ? check.transformed : check.generated;
    outputs.dropped.push_back(quantity);
    if (check.with_mock_data && quantity.failed) {
      outputs.dropped.back().reason +=
          fmt::format(" This used mock values for {}.", fmt::join(state.undeclared, ", "));
    }
  }
}

}  // namespace

void summarise_model(CheckState& state) {
  note_sizes(state);
  name_columns(state);
  note_outputs(state);
}

}  // namespace dpvi
