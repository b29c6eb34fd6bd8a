#include <dpvi/tape/lanes/record_tape.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/compile/lane_plan.hpp>

namespace dpvi {
namespace {

// The memory that blocks evaluated together may touch: about the size of an L1 data cache.
constexpr std::size_t kL1CacheBytes = 32 * 1024;

void require_size(std::size_t given, std::int32_t wanted) {
  if (given == static_cast<std::size_t>(wanted)) return;
  throw InternalError(kInternal, "theta has another length than the tape's.", "Report this.");
}

// The range of an index is checked where it is used. A value that cannot be an index becomes -1.
std::int32_t index_from(double value) {
  constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
  if (!(value >= 0.0 && value <= kLargest) || value != std::floor(value)) return -1;
  return static_cast<std::int32_t>(value);
}

}  // namespace

template <class T>
TapeWorkspace<T>::TapeWorkspace(const RecordTape& tape)
    : slots_(static_cast<std::size_t>(tape.plan_->uniform.slots())),
      uniform_(slots_.size()),
      repeated_(tape.plan_->repeated.size() * kLanes),
      lane_(tape.blocks_at_once<T>() * static_cast<std::size_t>(tape.plan_->lane_numbers)),
      adjoints_(tape.blocks_at_once<T>() * static_cast<std::size_t>(tape.plan_->adjoint_numbers)),
      frames_(tape.blocks_at_once<T>()),
      rows_(0),
      own_(static_cast<std::size_t>(tape.rows().per_lane_rows) * kLanes) {
  tape.plan_->uniform.set_constants({slots_.data(), slots_.size()});
  for (std::size_t b = 0; b < frames_.size(); ++b) {
    T* lane = lane_.data() + b * (lane_.size() / frames_.size());
    T* adjoints = adjoints_.data() + b * (adjoints_.size() / frames_.size());
    frames_[b] = {{uniform_.data(), lane, nullptr},
                  nullptr,
                  lane,
                  {adjoints, nullptr},
                  tape.plan_->steps.data(),
                  {repeated_.data(), lane, nullptr, adjoints, nullptr},
                  {nullptr, lane, nullptr, adjoints, nullptr},
                  {0, tape.plan_->lane_numbers, tape.real_columns() * kLanes,
                   tape.plan_->adjoint_numbers, tape.rows().size() * kLanes}};
  }
}

RecordTape::RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size,
                       BackendKind backend)
    : plan_(std::make_unique<const LanePlan>(make_lane_plan(graph, root, theta_size))),
      backends_(make_backend<float>(backend, *plan_), make_backend<double>(backend, *plan_)),
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

PreparedColumns RecordTape::columns_that_read(std::span<const std::int32_t> integers,
                                              std::span<const std::int32_t> reals) const {
  std::vector<bool> reads(static_cast<std::size_t>(plan_->data.slots()), false);
  const auto mark = [&](Op op, std::int32_t entry) {
    const std::vector<bool> slots = plan_->data.slots_that_read(op, entry);
    for (std::size_t i = 0; i < slots.size(); ++i) reads[i] = reads[i] || slots[i];
  };
  for (const std::int32_t integer : integers) mark(Op::record_int, integer);
  for (const std::int32_t real : reals) mark(Op::record_real, real);
  PreparedColumns columns;
  const auto add = [&](const std::vector<std::int32_t>& slots, std::vector<std::int32_t>& list) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (reads[static_cast<std::size_t>(slots[i])]) list.push_back(static_cast<std::int32_t>(i));
    }
  };
  add(plan_->real_columns, columns.reals);
  add(plan_->index_columns, columns.ints);
  return columns;
}

const GradientRows& RecordTape::rows() const { return plan_->rows; }

const std::vector<ProductRows>& RecordTape::products() const { return plan_->products; }

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
std::size_t RecordTape::blocks_at_once() const {
  const std::int64_t columns = std::int64_t{real_columns()} + rows().size();
  const std::int64_t numbers =
      columns * kLanes + std::int64_t{plan_->lane_numbers} + plan_->adjoint_numbers;
  const auto bytes = static_cast<std::size_t>(numbers) * sizeof(T);
  return kStepBlocks * bytes <= kL1CacheBytes ? kStepBlocks : 1;
}

template <class T>
std::span<const Frame<T>> RecordTape::frames_of(TapeWorkspace<T>& workspace,
                                                const LaneBlock<T>& block, T* gradient,
                                                std::size_t blocks) const {
  assert(blocks <= workspace.frames_.size());
  constexpr auto kData = static_cast<std::size_t>(StepPlace::data);
  constexpr auto kGradient = static_cast<std::size_t>(StepPlace::gradient);
  const T* reals = block.reals;
  const std::int32_t* ints = block.ints;
  for (Frame<T>& frame : std::span(workspace.frames_).first(blocks)) {
    frame.values[static_cast<std::size_t>(Source::data)] = frame.read[kData] = reals;
    frame.index = ints;
    frame.adjoints[static_cast<std::size_t>(AdjointStore::gradient)] = gradient;
    frame.read[kGradient] = frame.written[kGradient] = gradient;
    reals += frame.strides[kData];
    ints += int_columns() * kLanes;
    if (gradient != nullptr) gradient += frame.strides[kGradient];
  }
  return std::span(workspace.frames_).first(blocks);
}

template <class T>
void RecordTape::evaluate_rows(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                               T* log_density, T* gradient, std::int32_t* own,
                               std::size_t blocks) const {
  backend<T>().evaluate(frames_of(workspace, block, gradient, blocks), GradientForm::rows,
                        log_density, own);
}

template <class T>
void RecordTape::evaluate_factors(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                  T* log_density, T* gradient, std::int32_t* own,
                                  std::size_t blocks) const {
  backend<T>().evaluate(frames_of(workspace, block, gradient, blocks), GradientForm::factors,
                        log_density, own);
}

template <class T>
void RecordTape::copy_centres(TapeWorkspace<T>& workspace, const ProductRows& rows,
                              T* centres) const {
  const T* centre = workspace.uniform_.data() + rows.centre;
  for (std::int32_t i = 0; i < rows.count; ++i) centres[i] = centre[i * rows.centre_step];
}

template <class T>
void RecordTape::evaluate_block(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                T* log_density, T* gradient) const {
  if (rows().per_lane_rows == 0 && rows().size() == theta_size_) {
    evaluate_rows(workspace, block, log_density, gradient, static_cast<std::int32_t*>(nullptr));
    return;
  }
  // Most callers never come here, so the room is made when it is needed.
  const std::size_t room = static_cast<std::size_t>(rows().size()) * kLanes;
  if (workspace.rows_.size() < room) workspace.rows_ = LaneBuffer<T>(room);
  T* in_rows = workspace.rows_.data();
  evaluate_rows(workspace, block, log_density, in_rows, workspace.own_.data());
  spread_rows(rows(), in_rows, workspace.own_.data(), gradient, theta_size_);
}

template <class T>
void RecordTape::evaluate_block_value(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                      T* log_density) const {
  backend<T>().evaluate_value(frames_of(workspace, block, static_cast<T*>(nullptr), 1),
                              log_density);
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
                                          std::int32_t*, std::size_t) const;                      \
  template void RecordTape::evaluate_factors(TapeWorkspace<T>&, const LaneBlock<T>&, T*, T*,      \
                                             std::int32_t*, std::size_t) const;                   \
  template void RecordTape::copy_centres(TapeWorkspace<T>&, const ProductRows&, T*) const;        \
  template std::size_t RecordTape::blocks_at_once<T>() const;                                     \
  template void RecordTape::evaluate_block_value(TapeWorkspace<T>&, const LaneBlock<T>&, T*) const
DPVI_INSTANTIATE_TAPE(float);
DPVI_INSTANTIATE_TAPE(double);
#undef DPVI_INSTANTIATE_TAPE

}  // namespace dpvi
