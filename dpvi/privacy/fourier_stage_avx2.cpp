#include <dpvi/privacy/fourier_stage.hpp>

#define DPVI_FOURIER_NAMESPACE fourier_avx2
#include <dpvi/privacy/fourier_kernels.hpp>

namespace dpvi {

void run_stage_avx2(const FourierStage& stage, const FourierValues& from, const FourierValues& to) {
  fourier_avx2::run_stage(stage, from, to);
}

}  // namespace dpvi
