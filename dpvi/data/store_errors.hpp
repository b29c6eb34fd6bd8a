#pragma once

#include <dpvi/base/error_codes.hpp>

namespace dpvi {

inline constexpr ErrorCode kBadStore{"DP380", ErrorKind::bad_input,
                                     "a record store is damaged, cut or of another version"};
inline constexpr ErrorCode kOtherDeclarations{"DP381", ErrorKind::bad_input,
                                              "a record store was packed under other declarations"};

}  // namespace dpvi
