#include <dpvi/fit/check/point_densities.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace dpvi {
namespace {

constexpr std::size_t kBlock = RecordTable::kLanes;

void add_to(DensityValue& total, const DensityValue& part) {
  total.lp += part.lp;
  for (std::size_t j = 0; j < total.gradient.size(); ++j) total.gradient[j] += part.gradient[j];
}

RecordTable table_of(const PublicRecords& records) {
  RecordTable table(records.real_columns, records.integer_columns);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordValues record = records.record(i);
    if (records.problems[i].empty()) {
      table.append(record.reals, record.ints);
    } else {
      table.append_unusable();
    }
    if (!records.unit_of.empty()) table.assign_last_row(records.unit_of[i]);
  }
  return table;
}

// The first problem of each record.
std::vector<std::string> problems_of(const PublicRecords& records) {
  if (records.unit_of.empty()) return records.problems;
  std::vector<std::string> problems;
  for (std::size_t row = 0; row < records.size(); ++row) {
    const std::uint32_t unit = records.unit_of[row];
    if (unit == problems.size()) problems.emplace_back();
    if (problems[unit].empty()) problems[unit] = records.problems[row];
  }
  return problems;
}

}  // namespace

PointEvaluator::PointEvaluator(const RecordModel& model, PublicRecords records,
                               const FailingStatement& failing)
    : model_(model),
      public_(std::move(records)),
      problems_(problems_of(public_)),
      prepared_(model.prepare(table_of(public_))),
      failing_(failing),
      workspace_(model.tape()) {}

PointDensities PointEvaluator::at(std::span<const double> theta) {
  PointDensities point;
  point.prior.gradient.resize(theta.size());
  point.prior.lp = model_.prior().value_and_gradient(theta, point.prior.gradient);
  if (std::isnan(point.prior.lp)) {
    point.prior.error = failing_.in_prior(theta).words;
    point.total.error = point.prior.error;
    return point;
  }
  point.total = point.prior;
  model_.tape().begin_draw(workspace_, theta);
  std::vector<std::uint64_t> block;
  for (std::uint64_t first = 0; first < prepared_.record_count(); first += kBlock) {
    block.resize(std::min<std::size_t>(kBlock, prepared_.record_count() - first));
    std::iota(block.begin(), block.end(), first);
    add_block(theta, block, point);
  }
  return point;
}

void PointEvaluator::add_block(std::span<const double> theta,
                               std::span<const std::uint64_t> records, PointDensities& point) {
  std::vector<double> reals(prepared_.real_slots() * kBlock);
  std::vector<std::int32_t> integers(prepared_.integer_slots() * kBlock);
  prepared_.load_lanes(records, reals, integers);
  std::vector<double> values(kBlock);
  std::vector<double> gradients(theta.size() * kBlock);
  model_.tape().evaluate_block(workspace_, {reals.data(), integers.data()}, values.data(),
                               gradients.data());
  for (std::size_t lane = 0; lane < records.size(); ++lane) {
    const std::uint64_t record = records[lane];
    DensityValue own;
    own.error = problems_[record];
    if (own.error.empty() && std::isnan(values[lane])) own.error = explain(theta, record);
    if (own.error.empty()) {
      own.lp = values[lane];
      for (std::size_t j = 0; j < theta.size(); ++j) {
        own.gradient.push_back(gradients[j * kBlock + lane]);
      }
      add_to(point.total, own);
    } else if (point.total.error.empty()) {
      point.total.error = fmt::format("record {}: {}", record + 1, own.error);
    }
    point.records.push_back(std::move(own));
  }
}

std::string PointEvaluator::explain(std::span<const double> theta, std::uint64_t record) {
  // Finding the statement is slow, and nobody reads more explanations than this.
  constexpr int kMaxExplained = 10'000;
  if (++explained_ > kMaxExplained || !public_.unit_of.empty())
    return "the density is not a number here";
  return failing_.in_record(theta, public_.record(record)).words;
}

}  // namespace dpvi
