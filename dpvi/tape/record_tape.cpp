#include <dpvi/tape/record_tape.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/lane_plan.hpp>
#include <dpvi/tape/own_coordinates.hpp>

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

template <class T>
T* LaneBuffer<T>::data() {
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  const std::uintptr_t past = address % kBoundary;
  return storage_.data() + (past == 0 ? 0 : (kBoundary - past) / sizeof(T));
}

template <class T>
TapeWorkspace<T>::TapeWorkspace(const RecordTape& tape)
    : slots_(static_cast<std::size_t>(tape.plan_->uniform.slots())),
      uniform_(slots_.size()),
      repeated_(tape.plan_->repeated.size() * kLanes),
      lane_(static_cast<std::size_t>(tape.plan_->lane_numbers)),
      adjoints_(static_cast<std::size_t>(tape.plan_->adjoint_numbers)),
      rows_(static_cast<std::size_t>(tape.rows().size()) * kLanes),
      own_(static_cast<std::size_t>(tape.rows().own_rows) * kLanes) {
  tape.plan_->uniform.set_constants({slots_.data(), slots_.size()});
}

template <class T>
RecordTape::Kernels<T> RecordTape::kernels_for(InstructionSet set) const {
  Kernels<T> kernels;
  kernels.table = &lane_kernels<T>(set);
  for (const ForwardInstruction& instruction : plan_->forward) {
    kernels.forward.push_back(kernels.table->forward(instruction));
  }
  for (const PullInstruction& pull : plan_->pulls) {
    kernels.reverse.push_back(kernels.table->reverse(pull));
  }
  return kernels;
}

RecordTape::RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size, InstructionSet set)
    : plan_(std::make_unique<const LanePlan>(make_lane_plan(graph, root, theta_size))),
      kernels_(kernels_for<float>(set), kernels_for<double>(set)),
      theta_size_(theta_size) {}

RecordTape::~RecordTape() = default;
RecordTape::RecordTape(RecordTape&&) noexcept = default;
RecordTape& RecordTape::operator=(RecordTape&&) noexcept = default;

std::int32_t RecordTape::real_columns() const {
  return static_cast<std::int32_t>(plan_->real_columns.size());
}

std::int32_t RecordTape::int_columns() const {
  return static_cast<std::int32_t>(plan_->index_columns.size());
}

const GradientRows& RecordTape::rows() const { return plan_->rows; }

template <class T>
void RecordTape::begin_draw(TapeWorkspace<T>& workspace, std::span<const double> theta) const {
  require_size(theta.size(), theta_size_);
  double* slots = workspace.slots_.data();
  plan_->uniform.run(theta, {}, {slots, workspace.slots_.size()});
  std::transform(slots, slots + workspace.slots_.size(), workspace.uniform_.data(),
                 [](double value) { return static_cast<T>(value); });
  T* repeated = workspace.repeated_.data();
  for (const std::int32_t slot : plan_->repeated) {
    repeated = std::fill_n(repeated, kLanes, workspace.uniform_.data()[slot]);
  }
}

template <class T>
Frame<T> RecordTape::forward_sweep(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                   T* gradient) const {
  T* lane = workspace.lane_.data();
  T* adjoints = workspace.adjoints_.data();
  const Frame<T> frame{{workspace.uniform_.data(), lane, block.reals},
                       block.ints,
                       lane,
                       {adjoints, gradient},
                       plan_->steps.data(),
                       {workspace.repeated_.data(), lane, block.reals, adjoints, gradient},
                       {nullptr, lane, nullptr, adjoints, gradient}};
  const auto& forward = std::get<Kernels<T>>(kernels_).forward;
  for (std::size_t i = 0; i < forward.size(); ++i) forward[i](plan_->forward[i], frame);
  return frame;
}

template <class T>
void RecordTape::evaluate_rows(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                               T* log_density, T* gradient, std::int32_t* own) const {
  const Kernels<T>& kernels = std::get<Kernels<T>>(kernels_);
  const Frame<T> frame = forward_sweep(workspace, block, gradient);
  for (const ZeroRange& range : plan_->zeros) {
    std::fill_n(frame.adjoints[static_cast<int>(range.where)] + range.first, range.count, T{0});
  }
  T* seed = nullptr;
  if (const auto& root = plan_->root_adjoint) {
    seed = frame.adjoints[static_cast<int>(root->where)] + root->offset;
  }
  kernels.table->finish(plan_->root, frame, log_density, seed);
  for (std::size_t i = 0; i < kernels.reverse.size(); ++i) {
    kernels.reverse[i](plan_->pulls[i], frame);
  }
  if (!plan_->own_groups.empty()) find_own_coordinates(*plan_, block.ints, gradient, own);
}

template <class T>
void RecordTape::evaluate_block(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                T* log_density, T* gradient) const {
  if (rows().own_rows == 0 && rows().size() == theta_size_) {
    evaluate_rows(workspace, block, log_density, gradient, static_cast<std::int32_t*>(nullptr));
    return;
  }
  T* in_rows = workspace.rows_.data();
  evaluate_rows(workspace, block, log_density, in_rows, workspace.own_.data());
  spread_rows(rows(), in_rows, workspace.own_.data(), gradient, theta_size_);
}

template <class T>
void RecordTape::evaluate_block_value(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                      T* log_density) const {
  const Frame<T> frame = forward_sweep(workspace, block, static_cast<T*>(nullptr));
  std::get<Kernels<T>>(kernels_).table->finish(plan_->root, frame, log_density, nullptr);
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

#define DPVI_INSTANTIATE_TAPE(T)                                                                  \
  template class LaneBuffer<T>;                                                                   \
  template class TapeWorkspace<T>;                                                                \
  template void RecordTape::begin_draw(TapeWorkspace<T>&, std::span<const double>) const;         \
  template void RecordTape::evaluate_block(TapeWorkspace<T>&, const LaneBlock<T>&, T*, T*) const; \
  template void RecordTape::evaluate_rows(TapeWorkspace<T>&, const LaneBlock<T>&, T*, T*,         \
                                          std::int32_t*) const;                                   \
  template void RecordTape::evaluate_block_value(TapeWorkspace<T>&, const LaneBlock<T>&, T*) const
DPVI_INSTANTIATE_TAPE(float);
DPVI_INSTANTIATE_TAPE(double);
#undef DPVI_INSTANTIATE_TAPE

}  // namespace dpvi
