#include <dpvi/fit/check/model_check.hpp>

#include <algorithm>
#include <utility>

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
  ask_about_levels(state);
  state.take(about_count);
  return std::move(check);
}

}  // namespace dpvi
