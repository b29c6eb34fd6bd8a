#pragma once

#include <vector>

#include <dpvi/tape/compile/lane_plan.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>
#include <dpvi/tape/lanes/tape_backend.hpp>

namespace dpvi {

// A backend that calls one kernel after the other. The kernel of each instruction is looked up once
// for the plan.
template <class T>
class KernelBackend final : public TapeBackend<T> {
 public:
  KernelBackend(const LanePlan& plan, const LaneKernels<T>& kernels);

  void evaluate_value(std::span<const Frame<T>> frames, T* log_density) const override;
  void evaluate(std::span<const Frame<T>> frames, GradientForm form, T* log_density,
                std::int32_t* own) const override;

 private:
  template <class Instruction, class Kernel>
  void sweep(const std::vector<Instruction>& instructions, const std::vector<Kernel>& kernels,
             std::span<const Frame<T>> frames) const;
  void begin_reverse(std::span<const Frame<T>> frames, T* log_density) const;

  const LanePlan& plan_;
  const LaneKernels<T>& kernels_;
  std::vector<typename LaneKernels<T>::Forward> forward_;
  std::vector<typename LaneKernels<T>::Reverse> reverse_;
  std::vector<typename LaneKernels<T>::Reverse> factored_reverse_;
};

}  // namespace dpvi
