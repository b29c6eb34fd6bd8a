#include <dpvi/stan/run/outcome_program.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/stan/run/outcome_reader.hpp>
#include <dpvi/stan/run/run_failure.hpp>

namespace dpvi {
namespace {

bool contains(const RecordVariable& variable, const RecordColumn& column) {
  return variable.integer == column.integer && column.column >= variable.first_column &&
         column.column < variable.first_column + variable.count;
}

std::string name_of(const RecordColumn& column, const std::vector<RecordVariable>& variables) {
  for (const RecordVariable& variable : variables) {
    if (contains(variable, column)) return variable.variable->declaration->name;
  }
  return "?";
}

// E.g. "y ~ normal, with censoring".
std::string described(const OutcomeStep& step, const std::vector<RecordVariable>& variables) {
  return fmt::format("{} ~ {}{}{}", name_of(step.outcome.front(), variables), step.distribution,
                     step.lower || step.upper ? ", truncated" : "",
                     step.censoring ? ", censored" : "");
}

bool is_latent(const RecordColumn& column, const std::vector<RecordVariable>& latents) {
  return std::ranges::any_of(
      latents, [&](const RecordVariable& variable) { return contains(variable, column); });
}

void describe(OutcomeProgram& program, const std::vector<RecordVariable>& variables,
              const std::vector<RecordVariable>& latents) {
  std::vector<std::string> laws;
  bool mixture = false;
  std::set<RecordColumn> columns;
  for (const OutcomeStep& step : program.steps) {
    mixture = mixture || step.kind == OutcomeStep::Kind::choose;
    columns.insert(step.outcome.begin(), step.outcome.end());
    if (step.kind != OutcomeStep::Kind::draw) continue;
    if (is_latent(step.outcome.front(), latents)) continue;
    if (step.distribution == kAtom) continue;
    const std::string law = described(step, variables);
    if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
  }
  for (const RecordColumn& column : columns) {
    (is_latent(column, latents) ? program.latents : program.columns).push_back(column);
  }
  for (const RecordVariable& variable : variables) {
    if (!variable.integer) program.real_columns += variable.count;
  }
  std::size_t latent_count = 0;
  for (const RecordVariable& variable : latents) {
    latent_count += static_cast<std::size_t>(variable.count);
  }
  program.real_columns += static_cast<std::int32_t>(latent_count);
  if (program.latents.size() != latent_count) {
    throw NoOutcomeLaw{"not every latent variable has a distribution"};
  }
  for (const RecordVariable& variable : variables) {
    const bool set = std::any_of(columns.begin(), columns.end(), [&](const RecordColumn& column) {
      return contains(variable, column);
    });
    if (set) program.outcomes.push_back(variable.variable->declaration->name);
  }
  program.description = fmt::format("{}{}", mixture ? "mixture of " : "", fmt::join(laws, ", "));
}

}  // namespace

OutcomeProgram build_outcome_program(const CheckedProgram& checked, const DataBlock& data,
                                     const FunctionRegistry& registry,
                                     const StanModelOptions& options) {
  const RunSetting setting{checked, data, registry, options};
  OutcomeProgram program;
  GraphBuilder builder;
  builder.keep_gathered_vectors(options.keep_gathered_vectors);
  DensitySites sites;
  if (!data.tables.empty()) {
    program.description = "the program has several tables of records";
    program.graph = builder.share();
    return program;
  }
  if (data.by_unit) {
    program.description = "the program uses the rows of a unit together";
    program.graph = builder.share();
    return program;
  }
  const auto failure = run_failure([&] {
    ProgramRun run(setting, builder);
    run.run_on_symbolic_record(sites);
    try {
      OutcomeReader reader(run.context(), sites);
      for (const TargetTerm& term : run.terms()) reader.read(term);
      program.steps = reader.ordered_steps();
      describe(program, run.columns(), run.latents());
      if (!program.found()) program.description = "the program gives no column a distribution";
    } catch (const NoOutcomeLaw& none) {
      program.steps.clear();
      program.description = none.reason;
    }
  });
  if (failure) program.description = failure->error.message();
  program.graph = builder.share();
  return program;
}

}  // namespace dpvi
