#include <dpvi/fit/trace/redundant_numbers.hpp>

#include <vector>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/trace/mock_population_internal.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMockRecords = 1024;

// The sum of g g' over mock records with gradients g at two points in general position. A shift
// that never changes a density is orthogonal to all of them.
Eigen::MatrixXd sum_of_products(const TracePlan& plan, const Binding& binding) {
  const RecordModel& records = plan.release->records();
  MockPopulation population(records, binding, plan.law, plan.simulator, kMockRecords);
  std::vector<double> point(plan.release->dimension());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(std::ssize(point), std::ssize(point));
  for (const std::uint64_t seed : {1u, 2u}) {
    SeededStream stream = SeededGenerator(seed).stream({.label = StreamLabel::predictive_draw});
    fill_standard_normal(stream, point);
    population.redraw(point);
    const Eigen::MatrixXd gradients = population.scores(point).own_gradients();
    if (gradients.allFinite()) sum += gradients.transpose() * gradients;
  }
  return sum;
}

}  // namespace

bool has_redundant_numbers(const TracePlan& plan, const Binding& binding) {
  constexpr double kNothing = 1e-10;
  const Eigen::MatrixXd sum = sum_of_products(plan, binding);
  // Coordinates that no mock record uses are not redundant but unmeasured.
  std::vector<Eigen::Index> used;
  for (Eigen::Index k = 0; k < sum.rows(); ++k) {
    if (sum(k, k) > 0.0) used.push_back(k);
  }
  if (used.empty()) return false;
  const Eigen::VectorXd scale = sum.diagonal()(used).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * sum(used, used) * scale.asDiagonal();
  const Eigen::VectorXd values = spectrum_of(correlation).values;
  return values[0] < kNothing * values[values.size() - 1];
}

}  // namespace dpvi
