#include <dpvi/stan/run/generated_draws.hpp>

#include <dpvi/stan/run/model_terms.hpp>

namespace dpvi {

GeneratedDraws::GeneratedDraws(const CheckedProgram& checked, const DataBlock& data,
                               const FunctionRegistry& registry, const StanModelOptions& options)
    : setting_{checked, data, registry, options}, dependence_(checked.program, data, true) {
  GraphBuilder builder;
  ModelTerms terms(setting_, builder);
  if (!terms.runs_without_records()) {
    mock_ = terms.mock_records();
    dependence_ = RecordDependence(checked.program, data, false);
  }
  dependence_.keep_draws();
}

std::vector<DrawnQuantity> GeneratedDraws::without_records(std::span<const double> theta,
                                                           const UniformSource& draws) const {
  GraphBuilder builder;
  ProgramRun run(setting_, builder);
  const std::span<const ProgramRecord> records = std::span(mock_).first(mock_.empty() ? 0 : 1);
  run.run_at({theta, records, draws}, &dependence_);
  return collected(run, builder, false);
}

std::vector<DrawnQuantity> GeneratedDraws::on_record(std::span<const double> theta,
                                                     const ProgramRecord& record,
                                                     const UniformSource& draws) const {
  GraphBuilder builder;
  ProgramRun run(setting_, builder);
  run.run_at({theta, std::span(&record, 1), draws}, nullptr);
  return collected(run, builder, true);
}

std::vector<DrawnQuantity> GeneratedDraws::collected(ProgramRun& run, GraphBuilder& builder,
                                                     bool with_records) const {
  std::vector<DrawnQuantity> list;
  const ProgramBlock& block = setting_.checked.program.block(BlockKind::generated_quantities);
  for (const StatementPtr& statement : block.statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    if (!with_records && dependence_.on_records(declaration.slot)) continue;
    const Value& value = run.value_of(declaration);
    if (value.type().is_error()) continue;
    const NodeId node = value.flat(builder);
    if (!builder.is_constant(node)) continue;
    const std::span<const double> numbers = builder.graph()[node].values;
    list.push_back(
        {declaration.name, declaration.type(), value.dims(), {numbers.begin(), numbers.end()}});
  }
  return list;
}

}  // namespace dpvi
