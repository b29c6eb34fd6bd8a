#include <dpvi/random/kernel_bytes.hpp>

#include <sys/random.h>

#include <cerrno>

#include <dpvi/random/fail_closed.hpp>

namespace dpvi {

void fill_from_kernel(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail_closed("getrandom(2) gives no random bytes");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace dpvi
