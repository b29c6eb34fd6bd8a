#include <dpvi/tape/lanes/kernel_backend.hpp>

#include <algorithm>

#include <dpvi/tape/lanes/per_lane_coordinates.hpp>

namespace dpvi {

template <class T>
KernelBackend<T>::KernelBackend(const LanePlan& plan, const LaneKernels<T>& kernels)
    : plan_(plan), kernels_(kernels) {
  for (const ForwardInstruction& instruction : plan.forward) {
    forward_.push_back(kernels.forward(instruction));
  }
  for (const AdjointInstruction& instruction : plan.reverse) {
    reverse_.push_back(kernels.reverse(instruction));
  }
  for (const AdjointInstruction& instruction : plan.factored_reverse) {
    factored_reverse_.push_back(kernels.reverse(instruction));
  }
}

template <class T>
template <class Instruction, class Kernel>
void KernelBackend<T>::sweep(const std::vector<Instruction>& instructions,
                             const std::vector<Kernel>& kernels,
                             std::span<const Frame<T>> frames) const {
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].steps.count > 0) {
      kernels_.walk(instructions[i].steps, frames.data(), static_cast<int>(frames.size()));
    } else {
      for (const Frame<T>& frame : frames) kernels[i](instructions[i], frame);
    }
  }
}

template <class T>
void KernelBackend<T>::begin_reverse(std::span<const Frame<T>> frames, T* log_density) const {
  for (const Frame<T>& frame : frames) {
    for (const ZeroRange& range : plan_.zeros) {
      std::fill_n(frame.adjoints[static_cast<int>(range.where)] + range.first, range.count, T{0});
    }
    T* seed = nullptr;
    if (const auto& root = plan_.root_adjoint) {
      seed = frame.adjoints[static_cast<int>(root->where)] + root->offset;
    }
    kernels_.finish(plan_.root, frame, log_density, seed);
    log_density += kLanes;
  }
}

template <class T>
void KernelBackend<T>::evaluate(std::span<const Frame<T>> frames, GradientForm form, T* log_density,
                                std::int32_t* own) const {
  sweep(plan_.forward, forward_, frames);
  begin_reverse(frames, log_density);
  if (form == GradientForm::factors) {
    sweep(plan_.factored_reverse, factored_reverse_, frames);
  } else {
    sweep(plan_.reverse, reverse_, frames);
  }
  if (plan_.own_groups.empty()) return;
  for (const Frame<T>& frame : frames) {
    find_own_coordinates(plan_, kernels_, frame, own);
    own += plan_.rows.per_lane_rows * kLanes;
  }
}

template <class T>
void KernelBackend<T>::evaluate_value(std::span<const Frame<T>> frames, T* log_density) const {
  sweep(plan_.forward, forward_, frames);
  for (const Frame<T>& frame : frames) {
    kernels_.finish(plan_.root, frame, log_density, nullptr);
    log_density += kLanes;
  }
}

template class KernelBackend<float>;
template class KernelBackend<double>;

}  // namespace dpvi
