#include <dpvi/tape/lanes/uniform_function.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/base/thread_room.hpp>
#include <dpvi/tape/graph/graph_copy.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/reference/scalar_program.hpp>

namespace dpvi {
namespace {

void require_no_record(const Graph& graph, NodeId id) {
  if (!depends_on_record(graph.space(id))) return;
  throw InternalError(kInternal, "A function of parameters reads a record.", "Report this.");
}

}  // namespace

UniformFunction::UniformFunction(const Graph& graph, NodeId root, std::int32_t theta_size)
    : tape_((require_no_record(graph, root),
             std::make_unique<const RecordTape>(graph, root, theta_size))) {
  if (tape_->rows().per_lane_rows == 0) return;
  throw InternalError(kInternal, "A function of parameters selects by a record.", "Report this.");
}

UniformFunction::~UniformFunction() = default;
UniformFunction::UniformFunction(UniformFunction&&) noexcept = default;
UniformFunction& UniformFunction::operator=(UniformFunction&&) noexcept = default;

std::size_t UniformFunction::theta_size() const {
  return static_cast<std::size_t>(tape_->theta_size());
}

double UniformFunction::value(std::span<const double> theta) const {
  TapeWorkspace workspace(*tape_);
  tape_->begin_draw(workspace, theta);
  double value[kLanes];
  tape_->evaluate_block_value(workspace, {}, value);
  return value[0];
}

double UniformFunction::value_and_gradient(std::span<const double> theta,
                                           std::span<double> gradient) const {
  TapeWorkspace workspace(*tape_);
  tape_->begin_draw(workspace, theta);
  const GradientRows& rows = tape_->rows();
  static const ThreadRoom kRoom;
  double* row = kRoom.numbers(static_cast<std::size_t>(rows.size()) * kLanes);
  double value[kLanes];
  tape_->evaluate_rows(workspace, {}, value, row, static_cast<std::int32_t*>(nullptr));
  std::ranges::fill(gradient, 0.0);
  for (const std::int32_t coordinate : rows.coordinates) {
    gradient[static_cast<std::size_t>(coordinate)] = *row;  // all lanes are equal
    row += kLanes;
  }
  return value[0];
}

UniformMap::UniformMap(const Graph& graph, std::span<const std::int32_t> entries,
                       std::span<const NodeId> nodes, std::int32_t theta_size)
    : theta_size_(static_cast<std::size_t>(theta_size)), entries_(entries.begin(), entries.end()) {
  std::int32_t computed = 0;
  for (const NodeId node : nodes) computed += graph.length(node);
  size_ = entries_.size() + static_cast<std::size_t>(computed);
  if (computed == 0) return;
  Graph weighted;
  const std::vector<NodeId> parts = copy_graph(graph, nodes, weighted);
  const NodeId values = parts.size() == 1 ? parts[0] : weighted.intern(Op::pack, computed, parts);
  const NodeId weights = weighted.intern(Op::theta, computed, {}, {theta_size});
  const NodeId both[] = {values, weights};
  const NodeId sum = weighted.intern(Op::dot, 1, both);
  weighted_ = std::make_unique<const UniformFunction>(weighted, sum, theta_size + computed);
}

std::vector<double> UniformMap::evaluate(std::span<const double> theta) const {
  std::vector<double> numbers;
  numbers.reserve(size_);
  for (const std::size_t place : entries_) numbers.push_back(theta[place]);
  if (!weighted_) return numbers;
  std::vector<double> point(theta.begin(), theta.end());
  point.resize(weighted_->theta_size(), 1.0);
  std::vector<double> gradient(point.size());
  const double sum = weighted_->value_and_gradient(point, gradient);
  for (std::size_t i = theta_size_; i < gradient.size(); ++i) {
    numbers.push_back(std::isfinite(sum) ? gradient[i] : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

void UniformMap::pull_back(std::span<const double> theta, std::span<const double> weights,
                           std::span<double> gradient) const {
  for (std::size_t k = 0; k < entries_.size(); ++k) gradient[entries_[k]] += weights[k];
  if (!weighted_) return;
  std::vector<double> point(theta.begin(), theta.end());
  const auto computed = weights.subspan(entries_.size());
  point.insert(point.end(), computed.begin(), computed.end());
  std::vector<double> slopes(point.size());
  weighted_->value_and_gradient(point, slopes);
  for (std::size_t i = 0; i < theta_size_; ++i) gradient[i] += slopes[i];
}

UniformValues::UniformValues(const Graph& graph, std::span<const NodeId> outputs,
                             std::int32_t theta_size) {
  for (const NodeId output : outputs) require_no_record(graph, output);
  program_ = std::make_unique<const ScalarProgram>(graph, reachable_from(graph, outputs));
  if (program_->inputs(Op::theta) > theta_size) {
    throw InternalError(kInternal, "An output reads parameters beyond theta.", "Report this.");
  }
  for (const NodeId output : outputs) {
    const SlotRange place = program_->place(output);
    for (std::int32_t i = 0; i < graph.length(output); ++i) {
      slots_of_outputs_.push_back(place.offset + i * place.stride);
    }
  }
}

UniformValues::~UniformValues() = default;
UniformValues::UniformValues(UniformValues&&) noexcept = default;
UniformValues& UniformValues::operator=(UniformValues&&) noexcept = default;

std::vector<double> UniformValues::evaluate(std::span<const double> theta) const {
  std::vector<double> slots(static_cast<std::size_t>(program_->slots()));
  program_->set_constants(slots);
  program_->run(theta, {}, slots);
  std::vector<double> values;
  values.reserve(size());
  for (const std::int32_t slot : slots_of_outputs_) {
    values.push_back(slots[static_cast<std::size_t>(slot)]);
  }
  return values;
}

}  // namespace dpvi
