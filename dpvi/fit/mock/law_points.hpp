#pragma once

#include <vector>

#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Points theta at which the law of an outcome is checked: draws from the prior, and points near
// zero. With many parameters only the latter, because draws from the prior take too long. The seed
// is fixed.
std::vector<std::vector<double>> law_points(const RecordModel& model);

}  // namespace dpvi
