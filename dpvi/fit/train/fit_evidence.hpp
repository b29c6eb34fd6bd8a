#pragma once

#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// Collects what speaks for and against a result that has its outputs. All of it follows from
// releases, the prior and a fixed seed.
FitEvidence evidence_of(const FitResult& result, const RecordModel& model);

}  // namespace dpvi
