#pragma once

#include <cstddef>
#include <vector>

namespace dpvi {

// One stage of Stockham's Fourier transform. `stride` transforms of `radix * blocks` values each
// stand side by side: value i of transform t is at i * stride + t. The stage turns them into
// `radix * stride` transforms of `blocks` values.
struct FourierStage {
  std::size_t radix = 2;  // 2 to 5
  std::size_t blocks = 1;
  std::size_t stride = 1;
  // Roots of unity that multiply the outputs 1, 2, ... of a block: for output k of block p at
  // (k - 1) * blocks + p.
  std::vector<double> root_re, root_im;
};

// Real and imaginary parts of the values, in arrays of their own.
struct FourierValues {
  double* re = nullptr;
  double* im = nullptr;
};

// Both give the same bits: no operations are fused. The second one needs a processor with AVX2.
void run_stage_portable(const FourierStage& stage, const FourierValues& from,
                        const FourierValues& to);
void run_stage_avx2(const FourierStage& stage, const FourierValues& from, const FourierValues& to);

}  // namespace dpvi
