#include <dpvi/base/utc_clock.hpp>

#include <fmt/chrono.h>

#include <chrono>

namespace dpvi {

std::string utc_now() {
  return fmt::format(
      "{:%Y-%m-%d %H:%M:%S}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace dpvi
