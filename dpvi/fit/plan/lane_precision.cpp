#include <dpvi/fit/plan/lane_precision.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMockRecords = 64;
constexpr int kPoints = 3;
constexpr double kPointScale = 0.5;
constexpr double kTolerance = 1e-3;
constexpr std::size_t kLaneCount = RecordTable::kLanes;

// Log density and gradient of every record at one theta.
struct Evaluations {
  std::vector<double> values;
  std::vector<std::vector<double>> gradients;
};

template <class T>
Evaluations evaluate(const RecordTape& tape, const RecordTable& table,
                     std::span<const double> theta) {
  TapeWorkspace<T> workspace(tape);
  tape.begin_draw(workspace, theta);
  std::vector<T> reals(table.real_slots() * kLaneCount), gradient(theta.size() * kLaneCount);
  std::vector<std::int32_t> integers(table.integer_slots() * kLaneCount);
  T values[kLaneCount];
  Evaluations result;
  for (std::uint64_t first = 0; first < table.record_count(); first += kLaneCount) {
    std::vector<std::uint64_t> block(
        std::min<std::size_t>(kLaneCount, table.record_count() - first));
    std::iota(block.begin(), block.end(), first);
    table.load_lanes(block, std::span(reals), integers);
    tape.evaluate_block(workspace, {reals.data(), integers.data()}, values, gradient.data());
    for (std::size_t lane = 0; lane < block.size(); ++lane) {
      result.values.push_back(static_cast<double>(values[lane]));
      std::vector<double>& own = result.gradients.emplace_back();
      for (std::size_t j = lane; j < gradient.size(); j += kLaneCount) {
        own.push_back(static_cast<double>(gradient[j]));
      }
    }
  }
  return result;
}

double length(const std::vector<double>& vector) {
  double squares = 0.0;
  for (const double entry : vector) squares += entry * entry;
  return std::sqrt(squares);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) squares += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(squares);
}

// The tolerance includes the typical gradient: a gradient near zero need not be accurate to its
// last digit.
bool agree(const Evaluations& in_single, const Evaluations& in_double) {
  double typical = 0.0;
  for (const auto& gradient : in_double.gradients) {
    typical += length(gradient) / static_cast<double>(kMockRecords);
  }
  for (std::size_t i = 0; i < in_double.values.size(); ++i) {
    if (!std::isfinite(in_double.values[i])) continue;
    const double allowed = kTolerance * (typical + length(in_double.gradients[i]));
    const bool close = distance(in_single.gradients[i], in_double.gradients[i]) <= allowed;
    if (!close || !std::isfinite(in_single.values[i])) return false;
  }
  return true;
}

}  // namespace

Precision choose_lane_precision(const RecordModel& model, const Binding& binding) {
  const SeededGenerator generator(3);
  // If records are units whose rows are used together, they have several rows here too.
  constexpr std::size_t kMostRows = 16;
  const auto unit = model.unit_width();
  const std::size_t rows = unit ? std::min(unit->most_rows, kMostRows) : 1;
  const auto mock = make_mock_records(binding, kMockRecords * rows, generator);
  const RecordTable in_single = model.prepare(mock, Precision::single_precision, rows);
  const RecordTable in_double = model.prepare(mock, Precision::double_precision, rows);
  SeededStream stream = generator.stream({.label = StreamLabel::variational_draw});
  std::vector<double> theta(model.dimension());
  for (int point = 0; point < kPoints; ++point) {
    fill_standard_normal(stream, theta);
    for (double& entry : theta) entry *= point == 0 ? 0.0 : kPointScale;
    if (!agree(evaluate<float>(model.tape(), in_single, theta),
               evaluate<double>(model.tape(), in_double, theta))) {
      return Precision::double_precision;
    }
  }
  return Precision::single_precision;
}

}  // namespace dpvi
