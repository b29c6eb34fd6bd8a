#pragma once

#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi {

inline constexpr ErrorCode kRankFailed{"DP502", ErrorKind::internal,
                                       "a rank of a job on several processes failed"};

// What a rank throws if the job cannot go on because of another rank or the link between them.
inline InternalError rank_failure(std::string message, std::string hint) {
  return {kRankFailed, std::move(message), std::move(hint)};
}

}  // namespace dpvi
