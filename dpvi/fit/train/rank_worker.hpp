#pragma once

#include <cstdint>

#include <dpvi/fit/train/rank_share.hpp>
#include <dpvi/gradient/record_gradients.hpp>

namespace dpvi {

// What a rank does that is not the root: it takes every step that the root announces with its own
// records, and contributes its part of the sum. It has no noise, no release and no result. Returns
// when the root has ended the job; throws InternalError DP502 if the root or the link failed.
void serve_steps(const RankShare& share, const BatchGenerator& generator, RecordGradients& records);

}  // namespace dpvi
