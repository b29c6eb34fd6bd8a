#include <dpvi/privacy/fourier_stage.hpp>

#define DPVI_FOURIER_NAMESPACE fourier_portable
#include <dpvi/privacy/fourier_kernels.hpp>

namespace dpvi {

void run_stage_portable(const FourierStage& stage, const FourierValues& from,
                        const FourierValues& to) {
  fourier_portable::run_stage(stage, from, to);
}

}  // namespace dpvi
