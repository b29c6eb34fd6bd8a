#pragma once

#include <dpvi/tape/lanes/lane_kernels.hpp>
#include <dpvi/tape/lanes/short_steps.hpp>

// Selects kernels by operation and by which arguments are uniform.
namespace dpvi::DPVI_LANE_NAMESPACE {

// Selects an instance of a kernel template that takes one flag per argument.
template <class T, Op kOp>
auto binary_by_kind(unsigned uniform) {
  switch (uniform & 3U) {
    case 1:
      return &binary_kernel<T, kOp, true, false>;
    case 2:
      return &binary_kernel<T, kOp, false, true>;
    default:
      return &binary_kernel<T, kOp, false, false>;
  }
}

template <class T>
auto scalar_binary_by_kind(unsigned uniform) {
  switch (uniform & 3U) {
    case 1:
      return &scalar_binary_kernel<T, true, false>;
    case 2:
      return &scalar_binary_kernel<T, false, true>;
    default:
      return &scalar_binary_kernel<T, false, false>;
  }
}

template <class T, Op kOp>
auto pair_by_kind(unsigned uniform) {
  switch (uniform & 3U) {
    case 1:
      return &pair_kernel<T, kOp, true, false>;
    case 2:
      return &pair_kernel<T, kOp, false, true>;
    default:
      return &pair_kernel<T, kOp, false, false>;
  }
}

template <class T>
auto matmul_by_kind(unsigned uniform) {
  switch (uniform & 3U) {
    case 1:
      return &matmul_kernel<T, true, false>;
    case 2:
      return &matmul_kernel<T, false, true>;
    default:
      return &matmul_kernel<T, false, false>;
  }
}

template <class T>
auto solve_lower_by_kind(unsigned uniform) {
  switch (uniform & 3U) {
    case 1:
      return &solve_lower_kernel<T, true, false>;
    case 2:
      return &solve_lower_kernel<T, false, true>;
    default:
      return &solve_lower_kernel<T, false, false>;
  }
}

template <class T>
auto select_by_kind(unsigned uniform) {
  constexpr typename LaneKernels<T>::Forward kTable[8] = {
      &select_kernel<T, false, false, false>, &select_kernel<T, true, false, false>,
      &select_kernel<T, false, true, false>,  &select_kernel<T, true, true, false>,
      &select_kernel<T, false, false, true>,  &select_kernel<T, true, false, true>,
      &select_kernel<T, false, true, true>,   &select_kernel<T, true, true, true>};
  return kTable[uniform & 7U];
}

template <class T>
typename LaneKernels<T>::Forward unary_forward(Op op) {
  switch (op) {
    case Op::neg:
      return &unary_kernel<T, Op::neg>;
    case Op::exp:
      return &unary_kernel<T, Op::exp>;
    case Op::log:
      return &unary_kernel<T, Op::log>;
    case Op::log1p:
      return &unary_kernel<T, Op::log1p>;
    case Op::log1m:
      return &unary_kernel<T, Op::log1m>;
    case Op::sqrt:
      return &sqrt_kernel<T>;
    case Op::square:
      return &unary_kernel<T, Op::square>;
    case Op::inv:
      return &unary_kernel<T, Op::inv>;
    case Op::fabs:
      return &unary_kernel<T, Op::fabs>;
    case Op::inv_logit:
      return &unary_kernel<T, Op::inv_logit>;
    case Op::logit:
      return &unary_kernel<T, Op::logit>;
    case Op::log_inv_logit:
      return &unary_kernel<T, Op::log_inv_logit>;
    case Op::log1p_exp:
      return &unary_kernel<T, Op::log1p_exp>;
    case Op::is_nan:
      return &unary_kernel<T, Op::is_nan>;
    case Op::logical_not:
      return &unary_kernel<T, Op::logical_not>;
    default:
      return &scalar_unary_kernel<T>;
  }
}

template <class T>
typename LaneKernels<T>::Forward binary_forward(Op op, unsigned uniform) {
  switch (op) {
    case Op::add:
      return binary_by_kind<T, Op::add>(uniform);
    case Op::sub:
      return binary_by_kind<T, Op::sub>(uniform);
    case Op::mul:
      return binary_by_kind<T, Op::mul>(uniform);
    case Op::div:
      return binary_by_kind<T, Op::div>(uniform);
    case Op::min:
      return binary_by_kind<T, Op::min>(uniform);
    case Op::max:
      return binary_by_kind<T, Op::max>(uniform);
    case Op::lt:
      return binary_by_kind<T, Op::lt>(uniform);
    case Op::le:
      return binary_by_kind<T, Op::le>(uniform);
    case Op::eq:
      return binary_by_kind<T, Op::eq>(uniform);
    case Op::ne:
      return binary_by_kind<T, Op::ne>(uniform);
    case Op::logical_and:
      return binary_by_kind<T, Op::logical_and>(uniform);
    case Op::logical_or:
      return binary_by_kind<T, Op::logical_or>(uniform);
    default:
      return scalar_binary_by_kind<T>(uniform);
  }
}

template <class T>
typename LaneKernels<T>::Forward forward_kernel(const ForwardInstruction& instruction) {
  const Op op = instruction.op;
  const unsigned uniform = instruction.uniform;
  if (op >= Op::neg && op <= Op::logical_not) return unary_forward<T>(op);
  if (op >= Op::add && op <= Op::logical_or) return binary_forward<T>(op, uniform);
  switch (op) {
    case Op::select:
      return select_by_kind<T>(uniform);
    case Op::log_inc_beta:
    case Op::log_beta_binomial_cdf:
    case Op::log_beta_neg_binomial_cdf:
      return &several_kernel<T>;
    case Op::pack:
      return (uniform & 1U) != 0 ? &copy_kernel<T, true> : &copy_kernel<T, false>;
    case Op::gather:
      return (uniform & 1U) != 0 ? &gather_kernel<T, true> : &gather_kernel<T, false>;
    case Op::sum:
      return &sum_kernel<T>;
    case Op::prod:
      return &prod_kernel<T>;
    case Op::min_of:
      return &extreme_kernel<T, Op::min_of>;
    case Op::max_of:
      return &extreme_kernel<T, Op::max_of>;
    case Op::log_sum_exp:
      return &log_sum_exp_kernel<T>;
    case Op::dot:
      return pair_by_kind<T, Op::dot>(uniform);
    case Op::squared_distance:
      return pair_by_kind<T, Op::squared_distance>(uniform);
    case Op::matmul:
      return matmul_by_kind<T>(uniform);
    case Op::solve_lower:
      return solve_lower_by_kind<T>(uniform);
    default:
      return nullptr;
  }
}

// Selects by which factors are uniform and by whether one adjoint serves all entries.
template <class T, AdjointRule kRule, bool kOneAdjoint>
typename LaneKernels<T>::Reverse adjoint_by_factors(unsigned uniform) {
  constexpr typename LaneKernels<T>::Reverse kTable[4] = {
      &adjoint_kernel<T, kRule, false, false, kOneAdjoint>,
      &adjoint_kernel<T, kRule, true, false, kOneAdjoint>,
      &adjoint_kernel<T, kRule, false, true, kOneAdjoint>,
      &adjoint_kernel<T, kRule, true, true, kOneAdjoint>};
  constexpr bool kTwoFactors = kRule == AdjointRule::difference || kRule == AdjointRule::scaled;
  return kTable[uniform & (kTwoFactors ? 3U : 1U)];
}

template <class T, AdjointRule kRule>
typename LaneKernels<T>::Reverse adjoint_by_kind(const AdjointInstruction& instruction) {
  return instruction.adjoint.stride == 0 ? adjoint_by_factors<T, kRule, true>(instruction.uniform)
                                         : adjoint_by_factors<T, kRule, false>(instruction.uniform);
}

template <class T>
typename LaneKernels<T>::Reverse reverse_kernel(const AdjointInstruction& instruction) {
  const bool first_uniform = (instruction.uniform & 1U) != 0;
  switch (instruction.kind) {
    case AdjointRule::copy:
      return &adjoint_kernel<T, AdjointRule::copy, false, false, false>;
    case AdjointRule::negate:
      return &adjoint_kernel<T, AdjointRule::negate, false, false, false>;
    case AdjointRule::product:
      return adjoint_by_kind<T, AdjointRule::product>(instruction);
    case AdjointRule::scaled:
      return adjoint_by_kind<T, AdjointRule::scaled>(instruction);
    case AdjointRule::difference:
      return adjoint_by_kind<T, AdjointRule::difference>(instruction);
    case AdjointRule::where:
      return adjoint_by_kind<T, AdjointRule::where>(instruction);
    case AdjointRule::where_not:
      return adjoint_by_kind<T, AdjointRule::where_not>(instruction);
    case AdjointRule::scatter:
      return &scatter_kernel<T>;
    case AdjointRule::matmul_first:
      return first_uniform ? &matmul_first_kernel<T, true> : &matmul_first_kernel<T, false>;
    case AdjointRule::matmul_second:
      return first_uniform ? &matmul_second_kernel<T, true> : &matmul_second_kernel<T, false>;
    case AdjointRule::solve_back:
      return first_uniform ? &solve_back_kernel<T, true> : &solve_back_kernel<T, false>;
  }
  return nullptr;
}

template <class T>
inline constexpr LaneKernels<T> kKernels{&forward_kernel<T>, &reverse_kernel<T>, &walk_steps<T>,
                                         &own_row<T>, &finish<T>};

}  // namespace dpvi::DPVI_LANE_NAMESPACE
