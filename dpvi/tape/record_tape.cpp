#include <dpvi/tape/record_tape.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/lane_compiler.hpp>

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
    : uniform_(static_cast<std::size_t>(tape.tape_->uniform->slots())),
      lane_(static_cast<std::size_t>(tape.tape_->lane_numbers)),
      adjoints_(static_cast<std::size_t>(tape.tape_->adjoint_numbers)) {
  tape.tape_->uniform->set_constants({uniform_.data(), uniform_.size()});
}

RecordTape::RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size, InstructionSet set)
    : tape_(std::make_unique<CompiledTape<double>>(
          compile_tape<double>(graph, root, theta_size, double_kernels(set)))),
      kernels_(&double_kernels(set)),
      theta_size_(theta_size) {
  if (tape_->uniform->inputs(Op::theta) > theta_size) {
    throw InternalError(kInternal, "The tape reads parameters beyond theta.", "Report this.");
  }
}

RecordTape::~RecordTape() = default;
RecordTape::RecordTape(RecordTape&&) noexcept = default;
RecordTape& RecordTape::operator=(RecordTape&&) noexcept = default;

std::int32_t RecordTape::real_columns() const {
  return static_cast<std::int32_t>(tape_->real_columns.size());
}

std::int32_t RecordTape::int_columns() const {
  return static_cast<std::int32_t>(tape_->index_columns.size());
}

void RecordTape::begin_draw(TapeWorkspace& workspace, std::span<const double> theta) const {
  require_size(theta.size(), theta_size_);
  tape_->uniform->run(theta, {}, {workspace.uniform_.data(), workspace.uniform_.size()});
}

void RecordTape::evaluate_block(TapeWorkspace& workspace, const LaneBlock& block,
                                double* log_density, double* gradient) const {
  double* lane = workspace.lane_.data();
  const Frame<double> frame{{workspace.uniform_.data(), lane, block.reals},
                            block.ints,
                            lane,
                            {workspace.adjoints_.data(), gradient}};
  for (const ForwardInstruction<double>& instruction : tape_->forward) {
    instruction.kernel(instruction, frame);
  }
  double* seed = nullptr;
  if (gradient != nullptr) {
    for (const ZeroRange& range : tape_->zeros) {
      std::fill_n(frame.adjoints[static_cast<int>(range.where)] + range.first, range.count, 0.0);
    }
    if (tape_->root_adjoint) {
      seed = frame.adjoints[static_cast<int>(tape_->root_adjoint->where)] +
             tape_->root_adjoint->offset;
    }
  }
  kernels_->finish(tape_->root, frame, log_density, seed);
  if (gradient == nullptr) return;
  for (const PullInstruction<double>& pull : tape_->pulls) pull.kernel(pull, frame);
}

void RecordTape::evaluate_block_value(TapeWorkspace& workspace, const LaneBlock& block,
                                      double* log_density) const {
  evaluate_block(workspace, block, log_density, nullptr);
}

RecordPreparer::RecordPreparer(const RecordTape& tape)
    : tape_(&tape), slots_(static_cast<std::size_t>(tape.tape_->data->slots())) {
  tape.tape_->data->set_constants(slots_);
}

void RecordPreparer::prepare(RecordValues record, double* reals, std::int32_t* ints) {
  const CompiledTape<double>& tape = *tape_->tape_;
  tape.data->run({}, record, slots_);
  const auto value = [&](std::int32_t slot) { return slots_[static_cast<std::size_t>(slot)]; };
  std::ranges::transform(tape.real_columns, reals, value);
  std::ranges::transform(tape.index_columns, ints,
                         [&](std::int32_t slot) { return index_from(value(slot)); });
}

}  // namespace dpvi
