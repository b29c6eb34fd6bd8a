#include <dpvi/fit/check/model_check.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/check/binding_check.hpp>
#include <dpvi/fit/check/check_state.hpp>
#include <dpvi/fit/check/model_build.hpp>
#include <dpvi/fit/check/model_summary.hpp>
#include <dpvi/fit/check/model_trials.hpp>
#include <dpvi/fit/check/other_counts.hpp>
#include <dpvi/fit/check/program_summary.hpp>

namespace dpvi {

bool ModelCheck::ok() const {
  return std::none_of(findings.begin(), findings.end(), [](const CheckFinding& finding) {
    return finding.severity == Severity::error;
  });
}

void ModelCheck::add(const Error& error, Severity severity) {
  findings.push_back({severity, error.code(), error.place(), error.message(), error.hint()});
}

namespace {

// A program whose meaning for one record was not tested is not sound.
void refuse_untested(CheckState& state) {
  ModelCheck& check = state.check;
  if (!check.ok() || check.factorises) return;
  check.add(InputError(
      kModelFactorises,
      fmt::format("Whether the density is a sum over records could not be tested{}.",
                  state.with_mock_values()),
      check.with_mock_data
          ? fmt::format("Give the public data: {}.", fmt::join(state.undeclared, ", "))
          : "Declare bounds in the data block, or facts of the columns in the schema: they make "
            "better mock records.",
      {check.file, 1, 1}));
}

}  // namespace

ModelCheck check_model(const CheckRequest& request) {
  CheckState state{request, request.program.program, {}, {}, {}};
  ModelCheck& check = state.check;
  check.file = request.program.source.file_name();
  check.record_count = request.record_count;
  state.take(request.program.findings);
  if (!check.ok()) return std::move(check);
  const Findings about_count = summarise_program(state);
  warn_of_brms(state);
  if (check.ok()) bind_public_inputs(state);
  if (check.ok()) refuse_several_counts(check, state.undeclared);
  if (check.ok()) build_checked_model(state);
  if (check.model) {
    summarise_model(state);
    test_model(state);
  }
  refuse_second_table(check, state.program, state.undeclared);
  refuse_hidden_table(state);
  ask_about_levels(state);
  refuse_untested(state);
  state.take(about_count);
  return std::move(check);
}

}  // namespace dpvi
