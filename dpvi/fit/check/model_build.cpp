#include <dpvi/fit/check/model_build.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/mock/mock_public_data.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/run/run_failure.hpp>

namespace dpvi {
namespace {

std::optional<RunFailure> build_model(CheckState& state) {
  auto built = try_build_stan_model(state.request.program, state.check.data, stan_functions(),
                                    state.check.options);
  if (const auto* failure = std::get_if<RunFailure>(&built)) return *failure;
  state.check.model.emplace(std::move(std::get<StanModel>(built)));
  return std::nullopt;
}

void take_observed_facts(CheckState& state) {
  for (const auto& [name, columns] : state.request.observed) {
    std::vector<ColumnFacts>& known = state.check.options.facts[name];
    known.resize(std::max(known.size(), columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const auto fact :
           {&ColumnFacts::mean, &ColumnFacts::sd, &ColumnFacts::lower, &ColumnFacts::upper}) {
        if (!(known[i].*fact)) known[i].*fact = columns[i].*fact;
      }
    }
  }
}

// Computes facts about expressions in the records, such as mean(log(x)). If that fails, the build
// reports which fact is missing.
void compute_facts(CheckState& state) {
  if (state.request.records.empty()) return;
  GraphBuilder builder;
  StanModelOptions& options = state.check.options;
  const RunSetting setting{state.request.program, state.check.data, stan_functions(), options};
  run_failure(
      [&] { options.computed = ProgramRun(setting, builder).facts_of(state.request.records); });
}

// If a fact is missing, builds again with the facts of the public records.
std::optional<RunFailure> build_with_facts(CheckState& state) {
  std::optional<RunFailure> failure = build_model(state);
  if (!failure || failure->kind != RunFailureKind::missing_fact) return failure;
  if (state.request.observed.empty()) return failure;
  take_observed_facts(state);
  compute_facts(state);
  if (std::optional<RunFailure> second = build_model(state)) return second;
  const InputError& error = failure->error;
  state.check.add(InputError(error.code(),
                             fmt::format("{} This check takes it from the public records; a fit "
                                         "takes the declared value.",
                                         error.message()),
                             error.hint(), error.place()),
                  Severity::warning);
  return std::nullopt;
}

}  // namespace

void build_checked_model(CheckState& state) {
  ModelCheck& check = state.check;
  if (check.with_mock_data) {
    check.options.with_mock_data =
        choose_mock_public_data(state.request.program, check.data, check.options);
  }
  if (const auto failure = build_with_facts(state)) add_failure(state, *failure);
}

void add_failure(CheckState& state, const RunFailure& failure) {
  ModelCheck& check = state.check;
  const InputError& error = failure.error;
  if (failure.kind == RunFailureKind::missing_fact) {
    return check.add(with_all_facts(error, state.program, check.data, check.options.facts));
  }
  if (!check.with_mock_data || failure.kind != RunFailureKind::fails) return check.add(error);
  check.add(InputError(error.code(),
                       fmt::format("With mock values for {} the program stops here: {}",
                                   fmt::join(state.undeclared, ", "), error.message()),
                       "Give the public data for a full check.", error.place()),
            Severity::warning);
}

}  // namespace dpvi
