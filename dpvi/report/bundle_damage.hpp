#pragma once

#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi {

[[noreturn]] inline void refuse_damaged(const std::string& message, const SourcePlace& place) {
  throw InputError(kDamagedBundle, message,
                   "Use the bundle as the fit wrote it, or run the fit again.", place);
}

}  // namespace dpvi
