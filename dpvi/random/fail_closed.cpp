#include <dpvi/random/fail_closed.hpp>

#include <unistd.h>

#include <array>

#include <dpvi/base/error_codes.hpp>

namespace dpvi {

void fail_closed(std::string_view reason) noexcept {
  // Allocates nothing, since memory may be what failed. If standard error is closed, nothing else
  // can be done.
  const std::array<std::string_view, 7> parts{
      "error[", kEntropyFailed.id, "] ", kEntropyFailed.title, ": ", reason, ".\n"};
  for (const std::string_view part : parts) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) break;
  }
  ::_exit(70);
}

}  // namespace dpvi
