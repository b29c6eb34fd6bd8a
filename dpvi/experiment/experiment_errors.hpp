#pragma once

#include <dpvi/base/error_codes.hpp>

namespace dpvi {

inline constexpr ErrorCode kOtherDataFile{
    "DP370", ErrorKind::bad_input, "a file of a published data set is not the published one"};
inline constexpr ErrorCode kBadExperiment{"DP371", ErrorKind::bad_input,
                                          "the description of an experiment cannot be used"};

}  // namespace dpvi
