#include <dpvi/fit/check/other_counts.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/observed_public_data.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/prove/branch_coverage.hpp>
#include <dpvi/stan/prove/factorisation.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

namespace {

void refuse_no_record_data(ModelCheck& check) {
  check.add(InputError(
      kModelRecords,
      fmt::format("No data variable has {} as its first size, so there are no record data that a "
                  "fit could protect.",
                  check.record_count),
      "Give --records NAME with the int that counts the records, and declare their data with it "
      "as first size.",
      {check.file, 1, 1}));
}

std::string table_flags(const ModelCheck& check, const std::string& further) {
  std::vector<std::string> counts = check.data.tables;
  if (counts.empty()) counts.push_back(check.record_count);
  counts.push_back(further);
  std::string flags;
  for (const std::string& count : counts) flags += fmt::format(" --table {}=FILE", count);
  return flags;
}

}  // namespace

void refuse_several_counts(ModelCheck& check, const std::vector<std::string>& undeclared) {
  if (!check.record_data.empty()) return;
  std::vector<std::string> counts;
  for (const DataBlockVariable& variable : check.data.variables) {
    const std::string& name = variable.declaration->name;
    if (std::find(undeclared.begin(), undeclared.end(), name) == undeclared.end()) continue;
    if (variable.sizes.empty() || variable.sizes[0].size.empty()) continue;
    const std::string& count = variable.sizes[0].size;
    if (std::find(counts.begin(), counts.end(), count) == counts.end()) counts.push_back(count);
  }
  if (counts.empty()) {
    const bool rows = !check.data.tables.empty() || check.data.by_unit;
    if (!rows) refuse_no_record_data(check);
    return;
  }
  const std::string list = fmt::format("{}", fmt::join(counts, ", "));
  if (counts.size() == 1) {
    return check.add(InputError(
        kModelRecords,
        fmt::format("{} is not the first size of any data; {} is.", check.record_count, list),
        fmt::format("Give --records {} if it counts the records.", list), {check.file, 1, 1}));
  }
  check.add(InputError(
      kModelRecords,
      fmt::format("{} is not the first size of any data; {} are.", check.record_count, list),
      fmt::format("If one of them counts the records, give --records NAME. If they count the same "
                  "records, write {0} for them: one table, one count (brms: drop rows with missing "
                  "values first, then replace {1} by {0}).",
                  check.record_count, list),
      {check.file, 1, 1}));
}

void refuse_second_table(ModelCheck& check, const StanProgram& program,
                         const std::vector<std::string>& undeclared) {
  if (check.record_data.empty()) return;
  for (const ObservedPublicData& observed : observed_public_data(program, check.data)) {
    const DataBlockVariable& variable = *observed.variable;
    const std::string& name = variable.declaration->name;
    if (std::find(undeclared.begin(), undeclared.end(), name) == undeclared.end()) continue;
    const SourcePlace place{check.file, static_cast<int>(observed.spot.line),
                            static_cast<int>(observed.spot.column)};
    check.add(InputError(
        kModelRecords,
        fmt::format(
            "'{}' ({}) is observed like record data, but its first size is {} instead of {}.", name,
            variable.type_description, variable.sizes[0].text, check.record_count),
        fmt::format(
            "If {0} counts the records and {2} counts groups of them, give --records {0}. If {0} "
            "counts the same records as {2}, declare '{1}' with {2} too; if it counts other "
            "records, they are a second table:{3}, or [tables.{0}] where = {{column = \"event\", "
            "equals = \"...\"}} in the schema, and so on. If '{1}' is public, give it in --public "
            "FILE.json.",
            variable.sizes[0].size, name, check.record_count,
            table_flags(check, variable.sizes[0].size)),
        place));
  }
}

namespace {

// True if the density of a row of the second table changes with the parameters.
bool second_table_counts(const StanModel& model, const RecordFacts& facts) {
  constexpr std::uint64_t kSecondTableSeed = 7004;
  constexpr int kPointsTried = 4;
  MockRecordGenerator mock_generator(model.record_variables, facts, kSecondTableSeed);
  ProgramRecord row = mock_generator.next();
  row.integers.back() = 2.0;
  const MockColumns columns(row);
  std::optional<double> first;
  for (int point = 0; point < kPointsTried; ++point) {
    std::vector<double> theta(static_cast<std::size_t>(model.free_size));
    for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
    const double value =
        reference_values(*model.graph, model.record, theta, columns.values()).front();
    if (!std::isfinite(value)) continue;
    if (first && value != *first) return true;
    first = value;
  }
  return false;
}

const Declaration* declared_parameter(const StanProgram& program, const std::string& name) {
  for (const StatementPtr& statement : program.block(BlockKind::parameters).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    if (statement->declaration->name == name) return statement->declaration.get();
  }
  return nullptr;
}

// The name of the first size; empty for any other expression.
std::string leading_size(const Declaration& declaration) {
  const StanExpression* size = nullptr;
  if (!declaration.array_sizes->empty()) {
    size = declaration.array_sizes->front().get();
  } else if (!declaration.declared->sizes.empty()) {
    size = declaration.declared->sizes.front().get();
  }
  return size != nullptr && size->kind == ExpressionKind::variable ? size->name : std::string();
}

// True if the density is also a sum over what this public int counts.
bool counts_records_too(CheckState& state, const std::string& name) {
  const ModelCheck& check = state.check;
  Findings findings;
  const DataBlock block =
      describe_data_block(state.program, std::vector{check.record_count, name}, findings);
  if (findings.has_errors()) return false;
  const auto built =
      try_build_stan_model(state.request.program, block, stan_functions(), check.options);
  const auto* model = std::get_if<StanModel>(&built);
  if (model == nullptr || !second_table_counts(*model, check.options.facts)) return false;
  std::optional<bool> factorises;
  const auto failure = run_failure([&] {
    factorises =
        test_factorisation(state.request.program, block, stan_functions(), check.options, findings);
  });
  return !failure && factorises.value_or(false);
}

// A parameter with an entry for each of `count`, which no record uses: censored values, say, beside
// public data of the same size. Effects of groups are used by records. Empty if there is none.
std::string parameter_beside_data(const CheckState& state, const std::string& count) {
  const ModelCheck& check = state.check;
  bool data = false;
  for (const DataBlockVariable& variable : check.data.variables) {
    if (variable.upper && variable.upper->size == count) return {};  // it counts levels
    const bool undeclared = std::ranges::count(state.undeclared, variable.declaration->name) > 0;
    data = data || (undeclared && !variable.sizes.empty() && variable.sizes[0].size == count);
  }
  if (!data) return {};
  const std::vector<bool>& used = check.model->used_by_records();
  for (const ModelParameter& parameter : check.model->stan().parameters) {
    const Declaration* declaration = declared_parameter(state.program, parameter.value.name);
    if (declaration == nullptr || leading_size(*declaration) != count) continue;
    const auto first = used.begin() + parameter.first_free;
    if (std::count(first, first + parameter.free_size, true) == 0) return parameter.value.name;
  }
  return {};
}

void refuse_records_with_parameters(CheckState& state, const Declaration& count,
                                    const std::string& parameter) {
  state.check.add(InputError(
      kModelRecords,
      fmt::format(
          "{} counts records too: '{}' and public data have an entry for each, and no other "
          "record uses them. As public data, they would not be protected.",
          count.name, parameter),
      fmt::format("Integrate '{}' out in the program (a censored value by weibull_lccdf(limit | "
                  "...), for example), and give both counts a table:{}.",
                  parameter, table_flags(state.check, count.name)),
      {state.check.file, static_cast<int>(count.spot.line), static_cast<int>(count.spot.column)}));
}

}  // namespace

void refuse_hidden_table(CheckState& state) {
  ModelCheck& check = state.check;
  if (!check.ok() || check.data.by_unit || !check.data.tables.empty()) return;
  for (const DataBlockVariable& variable : check.data.variables) {
    const Declaration& declaration = *variable.declaration;
    const bool size =
        variable.role == DataRole::known && declaration.type().is_int() && variable.sizes.empty();
    if (!size || std::ranges::count(state.undeclared, declaration.name) == 0) continue;
    if (check.model) {
      const std::string parameter = parameter_beside_data(state, declaration.name);
      if (!parameter.empty()) refuse_records_with_parameters(state, declaration, parameter);
      if (!parameter.empty()) continue;
    }
    if (!counts_records_too(state, declaration.name)) continue;
    check.add(InputError(
        kModelRecords,
        fmt::format(
            "{0} counts records too: the density is a sum over what it counts, as over {1}. "
            "As public data, they would not be protected.",
            declaration.name, check.record_count),
        fmt::format(
            "Give both a table:{1}; or rows of one file, in the schema: [tables.{0}] where "
            "= {{column = \"event\", equals = \"...\"}}, and so on. If they are public, give "
            "-D {0}=... and their values.",
            declaration.name, table_flags(check, declaration.name)),
        {check.file, static_cast<int>(declaration.spot.line),
         static_cast<int>(declaration.spot.column)}));
  }
}

}  // namespace dpvi
