#include <dpvi/tape/record_tape.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/lane_plan.hpp>

namespace dpvi {
namespace {

void require_size(std::size_t given, std::int32_t wanted) {
  if (given == static_cast<std::size_t>(wanted)) return;
  throw InternalError(kInternal, "theta has another length than the tape's.", "Report this.");
}

// Indices are checked where they are used; what cannot be one becomes -1.
std::int32_t index_from(double value) {
  constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
  if (!(value >= 0.0 && value <= kLargest) || value != std::floor(value)) return -1;
  return static_cast<std::int32_t>(value);
}

}  // namespace

double* LaneBuffer::data() {
  constexpr std::uintptr_t kBoundary = kSlack * sizeof(double);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  const std::uintptr_t past = address % kBoundary;
  return storage_.data() + (past == 0 ? 0 : (kBoundary - past) / sizeof(double));
}

TapeWorkspace::TapeWorkspace(const RecordTape& tape)
    : uniform_(static_cast<std::size_t>(tape.plan_->uniform.slots())),
      lane_(static_cast<std::size_t>(tape.plan_->lane_numbers)),
      adjoints_(static_cast<std::size_t>(tape.plan_->adjoint_numbers)) {
  tape.plan_->uniform.set_constants({uniform_.data(), uniform_.size()});
}

RecordTape::RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size, InstructionSet set)
    : plan_(std::make_unique<const LanePlan>(make_lane_plan(graph, root, theta_size))),
      kernels_(&double_kernels(set)),
      theta_size_(theta_size) {
  for (const ForwardInstruction& instruction : plan_->forward) {
    forward_.push_back(kernels_->forward(instruction));
  }
  for (const PullInstruction& pull : plan_->pulls) {
    reverse_.push_back(kernels_->reverse(pull));
  }
}

RecordTape::~RecordTape() = default;
RecordTape::RecordTape(RecordTape&&) noexcept = default;
RecordTape& RecordTape::operator=(RecordTape&&) noexcept = default;

std::int32_t RecordTape::real_columns() const {
  return static_cast<std::int32_t>(plan_->real_columns.size());
}

std::int32_t RecordTape::int_columns() const {
  return static_cast<std::int32_t>(plan_->index_columns.size());
}

void RecordTape::begin_draw(TapeWorkspace& workspace, std::span<const double> theta) const {
  require_size(theta.size(), theta_size_);
  plan_->uniform.run(theta, {}, {workspace.uniform_.data(), workspace.uniform_.size()});
}

void RecordTape::evaluate_block(TapeWorkspace& workspace, const LaneBlock& block,
                                double* log_density, double* gradient) const {
  double* lane = workspace.lane_.data();
  const Frame<double> frame{{workspace.uniform_.data(), lane, block.reals},
                            block.ints,
                            lane,
                            {workspace.adjoints_.data(), gradient}};
  for (std::size_t i = 0; i < forward_.size(); ++i) forward_[i](plan_->forward[i], frame);
  if (gradient == nullptr) {
    kernels_->finish(plan_->root, frame, log_density, nullptr);
    return;
  }
  for (const ZeroRange& range : plan_->zeros) {
    std::fill_n(frame.adjoints[static_cast<int>(range.where)] + range.first, range.count, 0.0);
  }
  double* seed = nullptr;
  if (const auto& root = plan_->root_adjoint) {
    seed = frame.adjoints[static_cast<int>(root->where)] + root->offset;
  }
  kernels_->finish(plan_->root, frame, log_density, seed);
  for (std::size_t i = 0; i < reverse_.size(); ++i) reverse_[i](plan_->pulls[i], frame);
}

void RecordTape::evaluate_block_value(TapeWorkspace& workspace, const LaneBlock& block,
                                      double* log_density) const {
  evaluate_block(workspace, block, log_density, nullptr);
}

RecordPreparer::RecordPreparer(const RecordTape& tape)
    : tape_(&tape), slots_(static_cast<std::size_t>(tape.plan_->data.slots())) {
  tape.plan_->data.set_constants(slots_);
}

void RecordPreparer::prepare(RecordValues record, double* reals, std::int32_t* ints) {
  const LanePlan& plan = *tape_->plan_;
  plan.data.run({}, record, slots_);
  const auto value = [&](std::int32_t slot) { return slots_[static_cast<std::size_t>(slot)]; };
  std::ranges::transform(plan.real_columns, reals, value);
  std::ranges::transform(plan.index_columns, ints,
                         [&](std::int32_t slot) { return index_from(value(slot)); });
}

}  // namespace dpvi
