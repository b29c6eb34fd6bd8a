#include <dpvi/fit/check/gradient_comparison.hpp>

#include <array>
#include <cmath>
#include <numeric>

#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr std::uint64_t kSeed = 7002;
constexpr int kPoints = 3;
constexpr int kRecords = 8;
// Above this amount of work a plain evaluation is slow, so fewer points are compared.
constexpr std::size_t kMuchWork = 100'000;

struct Candidate {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

class GradientComparison {
 public:
  GradientComparison(const RecordModel& model, const RecordFacts& facts)
      : model_(model),
        mock_generator_(model.stan().record_variables, facts, kSeed),
        workspace_(model.tape()),
        preparer_(model.tape()) {}

  GradientTest run() {
    const StanModel& model = model_.stan();
    const bool large =
        evaluation_work(*model.graph, std::array{model.prior, model.record}) > kMuchWork;
    for (int point = 0; point < (large ? 1 : kPoints); ++point) {
      draw(theta_, 0.5);
      draw(direction_, 1.0 / std::sqrt(static_cast<double>(model_.dimension())));
      compare_prior();
      model_.tape().begin_draw(workspace_, theta_);
      for (int i = 0; i < (large ? 2 : kRecords); ++i) compare_record();
    }
    return result_;
  }

 private:
  void draw(std::vector<double>& numbers, double scale) {
    numbers.resize(model_.dimension());
    for (double& number : numbers) number = scale * mock_generator_.standard_normal();
  }

  void compare_prior() {
    std::vector<double> gradient(model_.dimension());
    const double value = model_.prior().value_and_gradient(theta_, gradient);
    compare(value, gradient, model_.stan().prior, {});
  }

  void compare_record() {
    const ProgramRecord mock = mock_generator_.next();
    const Candidate record{mock.reals, {mock.integers.begin(), mock.integers.end()}};
    const RecordTape& tape = model_.tape();
    std::vector<double> reals(static_cast<std::size_t>(tape.real_columns()));
    std::vector<std::int32_t> ints(static_cast<std::size_t>(tape.int_columns()));
    preparer_.prepare({record.reals, record.integers}, reals.data(), ints.data());
    std::vector<double> lane_reals(reals.size() * kLanes);
    std::vector<std::int32_t> lane_ints(ints.size() * kLanes);
    for (std::size_t i = 0; i < reals.size(); ++i) lane_reals[i * kLanes] = reals[i];
    for (std::size_t i = 0; i < ints.size(); ++i) lane_ints[i * kLanes] = ints[i];
    std::vector<double> values(kLanes);
    std::vector<double> gradients(model_.dimension() * kLanes);
    tape.evaluate_block(workspace_, {lane_reals.data(), lane_ints.data()}, values.data(),
                        gradients.data());
    std::vector<double> gradient(model_.dimension());
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] = gradients[j * kLanes];
    compare(values[0], gradient, model_.stan().record, {record.reals, record.integers});
  }

  void compare(double value, const std::vector<double>& gradient, NodeId node,
               RecordValues record) {
    if (!std::isfinite(value)) return;
    const double slope =
        std::inner_product(gradient.begin(), gradient.end(), direction_.begin(), 0.0);
    const auto along = [&](double step) {
      std::vector<double> theta = theta_;
      for (std::size_t j = 0; j < theta.size(); ++j) theta[j] += step * direction_[j];
      return reference_values(*model_.stan().graph, node, theta, record)[0];
    };
    const std::optional<bool> agrees = slope_agrees(along, slope);
    if (!agrees) return;
    ++result_.compared;
    if (!*agrees) ++result_.failed;
  }

  const RecordModel& model_;
  MockRecordGenerator mock_generator_;
  TapeWorkspace<> workspace_;
  RecordPreparer preparer_;
  std::vector<double> theta_, direction_;
  GradientTest result_;
};

}  // namespace

std::optional<bool> slope_agrees(const std::function<double(double)>& along, double slope) {
  constexpr double kStep = 1e-4;
  const double above = along(kStep);
  const double narrow = (above - along(-kStep)) / (2 * kStep);
  const double wide = (along(2 * kStep) - along(-2 * kStep)) / (4 * kStep);
  const double expected = narrow + (narrow - wide) / 3;
  if (!std::isfinite(expected)) return std::nullopt;
  const double tolerance =
      1e-5 * (1 + std::abs(expected)) + 1e-8 * std::abs(above) + 4 * std::abs(narrow - wide);
  return std::abs(slope - expected) <= tolerance;
}

GradientTest test_gradients(const RecordModel& model, const RecordFacts& facts) {
  if (model.dimension() == 0) return {};
  return GradientComparison(model, facts).run();
}

}  // namespace dpvi
