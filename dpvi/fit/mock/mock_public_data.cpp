#include <dpvi/fit/mock/mock_public_data.hpp>

#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/prove/branch_coverage.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

enum class Shown { nothing, prior, records };

// Evaluation budget for one choice of mock data, in computed numbers. It suffices for usual
// programs.
constexpr std::size_t kCost = 4'000'000;

// Determines which densities have a value at one or more of a few random points.
Shown shown_by(const StanModel& model, const RecordFacts& facts) {
  constexpr int kPoints = 10;
  constexpr int kRecords = 20;
  constexpr std::uint64_t kSeed = 7005;
  const std::size_t work = evaluation_work(*model.graph, std::array{model.prior, model.record}) + 1;
  std::size_t left = kCost / work + 2;
  MockRecordGenerator mock_generator(model.record_variables, facts, kSeed);
  std::vector<double> theta(static_cast<std::size_t>(model.free_size));
  Shown shown = Shown::nothing;
  for (int point = 0; point < kPoints && left > 0; ++point) {
    --left;
    for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
    if (std::isnan(reference_values(*model.graph, model.prior, theta)[0])) continue;
    shown = Shown::prior;
    for (int i = 0; i < kRecords && left > 0; ++i, --left) {
      const ProgramRecord record = mock_generator.next();
      const MockColumns columns(record);
      const double value = reference_values(*model.graph, model.record, theta, columns.values())[0];
      if (std::isfinite(value)) return Shown::records;
    }
  }
  return shown;
}

}  // namespace

MockPublicData choose_mock_public_data(const CheckedProgram& checked, const DataBlock& data,
                                       StanModelOptions options) {
  static constexpr MockPublicData kWays[] = {{3, false}, {3, true}, {2, true},
                                             {1, true},  {4, true}, {6, true}};
  MockPublicData best = kWays[0];
  Shown most = Shown::nothing;
  for (const MockPublicData& way : kWays) {
    options.with_mock_data = way;
    Shown shown = Shown::nothing;
    const auto built = try_build_stan_model(checked, data, stan_functions(), options);
    if (const auto* model = std::get_if<StanModel>(&built)) {
      shown = shown_by(*model, options.facts);
    } else if (std::get<RunFailure>(built).kind != RunFailureKind::fails) {
      return best;  // the failure is unrelated to the mock values
    }
    if (shown == Shown::records) return way;
    if (shown > most) {
      most = shown;
      best = way;
    }
  }
  return best;
}

}  // namespace dpvi
