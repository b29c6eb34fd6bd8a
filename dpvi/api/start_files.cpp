#include <dpvi/api/start_files.hpp>

#include <utility>

#include <fmt/format.h>

#include <dpvi/api/program.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/header_line.hpp>
#include <dpvi/data/id_columns.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <dpvi/data/schema_draft.hpp>
#include <dpvi/fit/formula/formula_draft.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {
namespace {

void check_request(const StartRequest& request) {
  if (request.formula.empty() && request.model.empty() && request.outcome.empty()) {
    throw UsageError(kContradiction, "nothing says what is to be explained.",
                     "Give --outcome COLUMN, --formula \"y ~ a + b\" or --model FILE.");
  }
  if (!request.model.empty() && (!request.formula.empty() || !request.outcome.empty())) {
    throw UsageError(kContradiction, "--model and a formula are two programs.",
                     "Give --model, or --formula and --outcome.");
  }
  if (!request.model.empty() && !request.likelihood.empty()) {
    throw UsageError(kContradiction, "--likelihood belongs to a formula; --model has its own.",
                     "Leave out one of them.");
  }
  if (request.rows && *request.rows < 1) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("--rows is {}; it must be at least 1.", *request.rows),
                     "Give the approximate number of rows.");
  }
}

void require_named(const StartRequest& request, const std::vector<std::string>& header,
                   const std::string& column) {
  if (column.empty()) return;
  BindingRequest names;
  names.header = header;
  names.table_file = request.table;
  require_column(names, column, {});
}

// The rows and the unit, as far as they are given.
Schema declared_facts(const StartRequest& request) {
  Schema declared;
  declared.rows = request.rows;
  if (!request.unit.empty()) declared.unit = DeclaredUnit{request.unit, 1, {}};
  return declared;
}

StartFiles start_with_program(const StartRequest& request, std::vector<std::string> header) {
  const Program program = read_program({.model_file = request.model});
  BindingRequest binding = program.binding_request();
  binding.schema = declared_facts(request);
  binding.table_file = request.table;
  binding.header = std::move(header);
  SchemaDraft draft =
      draft_schema(binding, requested_facts(program.inputs().program.program, program.data()),
                   HeaderNames::bound);
  StartFiles files;
  files.asks_for_unit = undecided_id_column(*binding.header, binding.schema).has_value();
  files.schema = std::move(draft.toml);
  files.missing = std::move(draft.missing);
  return files;
}

StartFiles start_with_formula(const StartRequest& request, std::vector<std::string> header) {
  FormulaStart start{request.formula, request.likelihood, std::move(header), request.table,
                     declared_facts(request)};
  StartFiles files;
  if (start.formula.empty()) {
    start.formula = proposed_formula(request.outcome, start, files.left_out);
  } else if (!request.outcome.empty()) {
    const std::string response = parse_regression_formula(start.formula).response;
    if (response != request.outcome) {
      throw UsageError(kContradiction,
                       fmt::format("--outcome is '{}', and the response of --formula is '{}'.",
                                   request.outcome, response),
                       "Leave --outcome out.");
    }
  }
  FormulaDraft draft = draft_formula_start(start);
  files.schema = std::move(draft.schema);
  files.missing = std::move(draft.missing);
  files.program = std::move(draft.program);
  files.formula = std::move(start.formula);
  files.asks_for_unit = draft.asks_for_unit;
  return files;
}

}  // namespace

StartFiles draft_start(const StartRequest& request) {
  check_request(request);
  std::vector<std::string> header = read_header_line(request.table);
  require_named(request, header, request.outcome);
  require_named(request, header, request.unit);
  return request.model.empty() ? start_with_formula(request, std::move(header))
                               : start_with_program(request, std::move(header));
}

}  // namespace dpvi
