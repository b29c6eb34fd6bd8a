#include <dpvi/fit/check/model_trials.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/check/failing_statement.hpp>
#include <dpvi/fit/check/model_build.hpp>
#include <dpvi/fit/check/record_reads.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/prove/factorisation.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

void test_influence(CheckState& state) {
  ModelCheck& check = state.check;
  const StanModel& model = check.model->stan();
  if ((*model.graph)[model.record].op != Op::constant) return;
  check.add(InputError(kNothingToFit,
                       fmt::format("Records have no influence{}: the density is the same for "
                                   "any.",
                                   state.with_mock_values()),
                       check.with_mock_data ? "Give the public data for a full check."
                                            : "Use the record data in the model block.",
                       {check.file, 0, 0}),
            Severity::warning);
}

constexpr int kAttempts = 25;

// Returns a point at which the prior has no value, or nullopt if it has one at any point tried.
std::optional<std::vector<double>> find_point_without_prior(const ModelCheck& check) {
  constexpr std::uint64_t kPriorPointSeed = 7003;
  MockRecordGenerator mock_generator({}, check.options.facts, kPriorPointSeed);
  std::vector<double> theta(check.model->dimension());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
    if (!std::isnan(check.model->prior().value(theta))) return std::nullopt;
  }
  return theta;
}

// True if the statement reads values filled in by records, and a few records leave gaps there.
bool reads_gaps(const CheckState& state, Spot spot) {
  const StanModel& model = state.check.model->stan();
  const std::vector<NodeId> nodes = reachable_from(*model.graph, std::array{model.prior});
  const bool gaps = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const Node& node = (*model.graph)[id];
    return std::any_of(node.values.begin(), node.values.end(),
                       [](double number) { return std::isnan(number); });
  });
  return gaps && reads_records(state.program, state.check.data, spot);
}

void test_prior(CheckState& state) {
  ModelCheck& check = state.check;
  const std::optional<std::vector<double>> theta = find_point_without_prior(check);
  if (!theta) return;
  const FailingStatement failing(state.request.program, check.data, check.options);
  const StatementFailure failure = failing.in_prior(*theta);
  const SourcePlace place{check.file, static_cast<int>(failure.spot.line),
                          static_cast<int>(failure.spot.column)};
  if (!check.with_mock_data && reads_gaps(state, failure.spot)) {
    return check.add(InputError(
        kModelFactorises,
        "This statement reads values that other records fill in, so no record has a density of "
        "its own.",
        "Use a record's values directly, in the loop over records. If there are two kinds of "
        "records, use an indicator column and an if instead of filling two tables.",
        place));
  }
  check.add(
      InputError(kModelFails,
                 fmt::format("The prior has no value at any of {} random parameter values{}.",
                             kAttempts, state.with_mock_values()),
                 check.with_mock_data
                     ? "Give the public data for a full check, or look for an invalid argument."
                     : "Look for an invalid argument.",
                 place),
      Severity::warning);
}

void test_factorisation_over_records(CheckState& state) {
  ModelCheck& check = state.check;
  Findings findings;
  const auto failure = run_failure([&] {
    check.factorises = test_factorisation(state.request.program, check.data, stan_functions(),
                                          check.options, findings);
  });
  if (failure) add_failure(state, *failure);
  state.take(findings);
}

void test_model_gradients(ModelCheck& check) {
  check.gradients = test_gradients(*check.model, check.options.facts);
  if (check.gradients->passed()) return;
  check.add(InternalError(
      kInternal,
      fmt::format("{} of {} gradients disagree with finite differences of the density.",
                  check.gradients->failed, check.gradients->compared),
      "This is a bug in dpvi; please report it with the program.", {check.file, 0, 0}));
}

}  // namespace

void test_model(CheckState& state) {
  test_influence(state);
  test_prior(state);
  test_factorisation_over_records(state);
  test_model_gradients(state.check);
}

}  // namespace dpvi
