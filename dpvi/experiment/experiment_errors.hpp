#pragma once

#include <dpvi/base/error_codes.hpp>

namespace dpvi {

inline constexpr ErrorCode kOtherDataFile{"DP370", ErrorKind::bad_input,
                                          "a data file differs from the published file"};
inline constexpr ErrorCode kBadExperiment{"DP371", ErrorKind::bad_input,
                                          "the description of an experiment is invalid"};

}  // namespace dpvi
