#include <dpvi/tape/lanes/uniform_function.hpp>

#include <dpvi/base/error.hpp>
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
             std::make_unique<const RecordTape>(graph, root, theta_size))) {}

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
  double value[kLanes];
  LaneBuffer<double> lanes(theta.size() * kLanes);
  tape_->evaluate_block(workspace, {}, value, lanes.data());
  // All lanes are equal.
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = lanes.data()[i * kLanes];
  return value[0];
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
