#include <dpvi/fit/trace/mock_population_internal.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::uint64_t kRowSeed = 2, kOutcomeSeed = 3;
constexpr std::size_t kMaxRowsOfOne = 64, kMaxRows = 1 << 15;

// Evaluates all records of a table of mock records.
class TableScores {
 public:
  TableScores(const RecordTape& tape, const RecordTable& table)
      : tape_(tape),
        table_(table),
        workspace_(tape),
        reals_(table.real_slots() * RecordTable::kLanes),
        integers_(table.integer_slots() * RecordTable::kLanes),
        log_density_(RecordTable::kLanes),
        gradient_(static_cast<std::size_t>(tape.theta_size()) * RecordTable::kLanes) {}

  void evaluate(std::span<const double> theta, MatrixXd& gradients, VectorXd& log_densities) {
    gradients.setZero(static_cast<Eigen::Index>(table_.record_count()), tape_.theta_size());
    log_densities.setZero(gradients.rows());
    tape_.begin_draw(workspace_, theta);
    std::vector<std::uint64_t> rows, owners;
    for (std::uint64_t record = 0; record < table_.record_count(); ++record) {
      const RecordTable::Rows range = table_.rows_of(record);
      for (std::uint64_t row = range.first; row < range.end; ++row) {
        rows.push_back(row);
        owners.push_back(record);
        if (rows.size() == RecordTable::kLanes) add_block(rows, owners, gradients, log_densities);
      }
    }
    if (!rows.empty()) add_block(rows, owners, gradients, log_densities);
  }

 private:
  void add_block(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& owners,
                 MatrixXd& gradients, VectorXd& log_densities) {
    const std::uint32_t usable = table_.load_lanes(
        rows, std::span<double>(reals_.data(), reals_.size()), std::span(integers_));
    tape_.evaluate_block<double>(workspace_, {reals_.data(), integers_.data()}, log_density_.data(),
                                 gradient_.data());
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if ((usable >> lane & 1u) == 0) continue;
      const auto record = static_cast<Eigen::Index>(owners[lane]);
      log_densities[record] += log_density_.data()[lane];
      if (!std::isfinite(log_density_.data()[lane])) continue;
      for (Eigen::Index j = 0; j < gradients.cols(); ++j) {
        const double entry =
            gradient_.data()[static_cast<std::size_t>(j) * RecordTable::kLanes + lane];
        gradients(record, j) += std::isfinite(entry) ? entry : 0.0;
      }
    }
    rows.clear();
    owners.clear();
  }

  const RecordTape& tape_;
  const RecordTable& table_;
  TapeWorkspace<double> workspace_;
  LaneBuffer<double> reals_;
  std::vector<std::int32_t> integers_;
  LaneBuffer<double> log_density_;
  LaneBuffer<double> gradient_;
};

// The place of the outcome that a uniform number selects under log densities that need not be
// normalised.
std::size_t selected(const std::vector<VectorXd>& log_densities, Eigen::Index record,
                     double uniform) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
  for (const VectorXd& one : log_densities) {
    if (std::isfinite(one[record])) largest = std::max(largest, one[record]);
  }
  std::vector<double> weights;
  for (const VectorXd& one : log_densities) {
    weights.push_back(std::isfinite(one[record]) ? std::exp(one[record] - largest) : 0.0);
    sum += weights.back();
  }
  double left = uniform * sum;
  for (std::size_t k = 0; k + 1 < weights.size(); ++k) {
    left -= weights[k];
    if (left < 0.0) return k;
  }
  return weights.size() - 1;
}

}  // namespace

MatrixXd MockScores::own_gradients() const {
  if (gradients.size() == 1) return gradients.front();
  const Eigen::Index count = gradients.front().rows();
  if (own.empty()) {
    MatrixXd all(count * std::ssize(gradients), gradients.front().cols());
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      all.middleRows(static_cast<Eigen::Index>(k) * count, count) = gradients[k];
    }
    return all;
  }
  MatrixXd rows(count, gradients.front().cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = gradients[own[static_cast<std::size_t>(i)]].row(i);
  }
  return rows;
}

MockPopulation::MockPopulation(const RecordModel& model, const Binding& binding,
                               const OutcomeLaw& law,
                               std::shared_ptr<const OutcomeSimulator> simulator, std::size_t count,
                               std::size_t exchangeable)
    : model_(model),
      rows_of_one_(std::min<std::size_t>(binding.unit ? binding.unit->max_rows : 1, kMaxRowsOfOne)),
      law_(law.columns),
      simulator_(std::move(simulator)) {
  const std::size_t records = std::max<std::size_t>(1, std::min(count, kMaxRows / rows_of_one_));
  rows_ = make_mock_records(binding, records * rows_of_one_, SeededGenerator(kRowSeed));
  own_.assign(records, 0);
  if (law_) {
    for (std::int32_t value = law_->lowest; value <= law_->highest; ++value) {
      for (MockRecord& row : rows_) row.integers[static_cast<std::size_t>(law_->integer)] = value;
      tables_.push_back(model_.prepare(rows_, Precision::double_precision, rows_of_one_));
    }
  } else {
    const std::size_t outcomes = simulator_ != nullptr ? exchangeable : 1;
    for (std::size_t k = 0; k < outcomes; ++k) {
      tables_.push_back(model_.prepare(rows_, Precision::double_precision, rows_of_one_));
    }
  }
}

MockPopulation::~MockPopulation() = default;

std::size_t MockPopulation::size() const { return own_.size(); }

void MockPopulation::redraw(std::span<const double> theta) {
  redraw(std::vector<std::vector<double>>(kOutcomePoints, {theta.begin(), theta.end()}));
}

void MockPopulation::redraw(std::span<const std::vector<double>> points) {
  const std::size_t count = points.size();
  if (law_) {
    SeededStream stream =
        SeededGenerator(kOutcomeSeed).stream({.label = StreamLabel::predictive_draw});
    std::vector<double> uniforms(own_.size());
    for (double& uniform : uniforms) uniform = unit_uniform(stream);
    const bool one_point = std::ranges::all_of(
        points, [&](const std::vector<double>& point) { return point == points[0]; });
    const std::size_t shares = one_point ? 1 : count;
    for (std::size_t b = 0; b < shares; ++b) {
      const MockScores all = scores(points[b]);
      for (std::size_t i = b * own_.size() / shares; i < (b + 1) * own_.size() / shares; ++i) {
        own_[i] = selected(all.log_densities, static_cast<Eigen::Index>(i), uniforms[i]);
      }
    }
  } else if (simulator_ != nullptr) {
    for (std::size_t k = 0; k < tables_.size(); ++k) {
      simulate(points, kOutcomeSeed + k * count);
      tables_[k] = model_.prepare(rows_, Precision::double_precision, rows_of_one_);
    }
  }
}

void MockPopulation::simulate(std::span<const std::vector<double>> points, std::uint64_t seed) {
  const std::size_t count = points.size();
  for (std::size_t b = 0; b < count; ++b) {
    const auto first = static_cast<std::ptrdiff_t>(b * own_.size() / count * rows_of_one_);
    const auto end = static_cast<std::ptrdiff_t>((b + 1) * own_.size() / count * rows_of_one_);
    std::vector<MockRecord> share(rows_.begin() + first, rows_.begin() + end);
    simulator_->simulate(points[b], share, SeededGenerator(seed + b));
    std::ranges::move(share, rows_.begin() + first);
  }
}

MockScores MockPopulation::scores(std::span<const double> theta) const {
  MockScores result{.gradients = std::vector<MatrixXd>(tables_.size()),
                    .log_densities = std::vector<VectorXd>(tables_.size()),
                    .own = own_};
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    TableScores(model_.tape(), tables_[k])
        .evaluate(theta, result.gradients[k], result.log_densities[k]);
  }
  if (!law_ && tables_.size() > 1) {
    result.own.clear();
    // An outcome that could not be evaluated has no probability.
    for (VectorXd& one : result.log_densities) {
      for (double& value : one) value = std::isfinite(value) ? 0.0 : value;
    }
  }
  return result;
}

}  // namespace dpvi
