#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/stan/facts/outcome_variables.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/model_terms.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/stan/syntax/expression_text.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

NamedValue named(const Declaration& declaration, const Value& value, GraphBuilder& builder) {
  return {declaration.name, type_description(declaration), declaration.type(), value.dims(),
          value.flat(builder)};
}

// True if the statement can change the variable.
bool writes(const StanStatement& statement, int slot) {
  if (statement.kind == StatementKind::declaration && statement.declaration->slot == slot) {
    return true;
  }
  if (statement.kind == StatementKind::assignment) {
    const StanExpression* root = statement.target.get();
    while (root->kind == ExpressionKind::index) root = root->operands[0].get();
    if (root->slot == slot) return true;
  }
  return std::any_of(statement.body.begin(), statement.body.end(),
                     [&](const StatementPtr& part) { return writes(*part, slot); });
}

// The reason why a quantity that depends on no record has no value.
DroppedQuantity incomplete(const ProgramRun& run, const Declaration& declaration) {
  for (const FailedStatement& failed : run.failures()) {
    if (writes(*failed.statement, declaration.slot)) return {declaration.name, failed.why, true};
  }
  return {declaration.name, "cannot be computed without records"};
}

// Separates the variables of a block that can be computed from the others.
void collect(StanModel& model, const RunSetting& setting, ProgramRun& run,
             const RecordDependence& dependence, BlockKind kind, GraphBuilder& builder) {
  std::vector<NamedValue>& kept =
      kind == BlockKind::transformed_parameters ? model.transformed_parameters : model.generated;
  for (const StatementPtr& statement : setting.checked.program.block(kind).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    const Value& value = run.value_of(declaration);
    if (dependence.on_records(declaration.slot)) {
      model.dropped.push_back({declaration.name, "depends on record data"});
    } else if (dependence.on_draws(declaration.slot)) {
      model.drawn.push_back(declaration.name);
    } else if (value.type().is_error() || has_gaps(value, builder)) {
      model.dropped.push_back(incomplete(run, declaration));
    } else {
      kept.push_back(named(declaration, value, builder));
    }
  }
}

// Fails if evaluating the model would need too much memory.
void check_numbers(const RunSetting& setting, const Graph& graph, const StanModel& model) {
  std::int64_t draw = 0;
  std::int64_t record = 0;
  for (const NodeId id : reachable_from(graph, std::array{model.prior, model.record})) {
    (depends_on_record(graph.space(id)) ? record : draw) += graph.length(id);
  }
  const ExecutionLimits& limits = setting.options.limits;
  const bool one_record = record > limits.record_numbers;
  if (!one_record && draw <= limits.draw_numbers) return;
  throw InputError(kModelTooLarge,
                   fmt::format("The density computes {} numbers for each {}; the limit is {}.",
                               one_record ? record : draw, one_record ? "record" : "draw",
                               one_record ? limits.record_numbers : limits.draw_numbers),
                   "Use smaller vectors and matrices.", {setting.checked.source.file_name(), 0, 0});
}

void refuse_sizes_of_records(const RunSetting& setting) {
  const RecordDependence dependence(setting.checked.program, setting.data, true);
  const SourceText& source = setting.checked.source;
  for (const StatementPtr& statement :
       setting.checked.program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    if (!dependence.on_records(declaration.slot)) continue;
    if (dependence.on_count_alone(declaration.slot)) continue;  // a latent variable
    throw InputError(
        kModelRecords,
        fmt::format("The size of parameter '{}' is computed from record data.", declaration.name),
        "Give it as public data.",
        {source.file_name(), static_cast<int>(declaration.spot.line),
         static_cast<int>(declaration.spot.column)});
  }
}

InputError latent_error(const RunSetting& setting, const std::string& why, const char* next) {
  const std::vector<std::string> names = local_latents(setting.checked.program, setting.data);
  Spot spot;
  for (const StatementPtr& statement :
       setting.checked.program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    if (!names.empty() && statement->declaration->name == names.front()) {
      spot = statement->declaration->spot;
    }
  }
  return InputError(
      kModelLatent,
      fmt::format("The latent variables of a record ({}) cannot be integrated out: {}",
                  fmt::join(names, ", "), why),
      next,
      {setting.checked.source.file_name(), static_cast<int>(spot.line),
       static_cast<int>(spot.column)});
}

// The density of a record without its latent variables.
NodeId marginal(const RunSetting& setting, const ModelTerms& terms, GraphBuilder& builder) {
  constexpr std::int32_t kMost = 24;
  const LatentColumns latents = terms.latents();
  const NodeId joint = terms.record();
  if (latents.count == 0) return joint;
  if (latents.count > kMost) {
    throw latent_error(
        setting, fmt::format("they are {} numbers, and the limit is {}.", latents.count, kMost),
        "Use fewer per record, or integrate in the program.");
  }
  for (std::int32_t i = 0; i < latents.count; ++i) {
    if (TaylorExpansion(builder, joint, latents.first + i, 1).root_depends()) continue;
    throw latent_error(setting, "the density of a record does not depend on all of them.",
                       "Give each a prior that does not depend on other records.");
  }
  try {
    return marginal_record(builder, joint, latents, setting.options.marginal);
  } catch (const NoDerivative& missing) {
    throw latent_error(setting,
                       fmt::format("the curvature of the density needs a second derivative of "
                                   "'{}', which is not known.",
                                   op_name(missing.op)),
                       "Write the density by other functions, or integrate in the program.");
  }
}

}  // namespace

std::vector<std::string> local_latents(const StanProgram& program, const DataBlock& data) {
  const RecordDependence dependence(program, data, true);
  std::vector<std::string> names;
  for (const StatementPtr& statement : program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    if (dependence.on_count_alone(statement->declaration->slot)) {
      names.push_back(statement->declaration->name);
    }
  }
  return names;
}

std::vector<ListedEntry> listed_entries(const NamedValue& value) {
  const std::vector<std::int64_t> offsets = offsets_by_columns(value.type, value.dims);
  std::vector<ListedEntry> list;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::string indices;
    std::int64_t rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = 0; axis < value.dims.count(); ++axis) {
      indices += fmt::format("{}{}", axis == 0 ? "" : ",", rest % value.dims[axis] + 1);
      rest /= value.dims[axis];
    }
    list.push_back(
        {indices.empty() ? value.name : fmt::format("{}[{}]", value.name, indices), offsets[i]});
  }
  return list;
}

StanModel build_stan_model(const CheckedProgram& checked, const DataBlock& data,
                           const FunctionRegistry& registry, const StanModelOptions& options) {
  const RunSetting setting{checked, data, registry, options};
  refuse_sizes_of_records(setting);
  GraphBuilder builder;
  builder.keep_gathered_vectors(options.keep_gathered_vectors);
  ModelTerms terms(setting, builder);

  StanModel model;
  model.prior_from_mock_record = !terms.runs_without_records();
  const RecordDependence dependence(checked.program, data, terms.runs_without_records());
  ProgramRun& base = terms.base_run();
  base.run_generated(dependence);
  collect(model, setting, base, dependence, BlockKind::transformed_parameters, builder);
  collect(model, setting, base, dependence, BlockKind::generated_quantities, builder);
  model.prior = terms.prior();
  model.record = marginal(setting, terms, builder);
  model.latents = local_latents(checked.program, data);
  if (const LatentColumns latents = terms.latents(); latents.count > 0) {
    model.latent_method = marginal_method(latents.count, options.marginal);
  }
  check_numbers(setting, builder.graph(), model);
  model.parameters = base.parameters();
  model.free_size = base.free_size();
  model.record_variables = terms.columns();
  model.unit = terms.unit();
  for (const RecordVariable& columns : model.record_variables) {
    (columns.integer ? model.integer_columns : model.real_columns) += columns.count;
  }
  model.outcomes = outcome_variables(checked.program, data);
  model.outcome_program = std::make_shared<const OutcomeProgram>(
      build_outcome_program(checked, data, registry, options));
  model.graph = builder.share();
  return model;
}

std::variant<StanModel, RunFailure> try_build_stan_model(const CheckedProgram& checked,
                                                         const DataBlock& data,
                                                         const FunctionRegistry& registry,
                                                         const StanModelOptions& options) {
  std::optional<StanModel> model;
  const std::optional<RunFailure> failure =
      run_failure([&] { model = build_stan_model(checked, data, registry, options); });
  if (failure) return *failure;
  return std::move(*model);
}

}  // namespace dpvi
