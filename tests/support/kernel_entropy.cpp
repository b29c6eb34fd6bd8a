#include <tests/support/kernel_entropy.hpp>

#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace dpvi {

KernelEntropy kernel_entropy = KernelEntropy::real;

namespace {

thread_local std::array<std::uint8_t, 32> next_key{};
thread_local bool key_waits = false;

bool give_key(std::uint8_t* bytes, std::size_t size) {
  if (!key_waits || size != next_key.size()) return false;
  std::copy(next_key.begin(), next_key.end(), bytes);
  // Clears the copy, because tests search memory for leftover keys.
  next_key.fill(0);
  key_waits = false;
  return true;
}

ssize_t count_up(std::uint8_t* bytes, std::size_t size) {
  static std::uint8_t next = 0;
  std::size_t given = 0;
  for (; given < 2 && given < size; ++given) bytes[given] = next++ % 32;
  return static_cast<ssize_t>(given);
}

ssize_t entropy(std::uint8_t* bytes, std::size_t size, unsigned flags) {
  if (give_key(bytes, size)) return static_cast<ssize_t>(size);
  switch (kernel_entropy) {
    case KernelEntropy::real:
      break;
    case KernelEntropy::fails:
      errno = ENOSYS;
      return -1;
    case KernelEntropy::ends:
      return 0;
    case KernelEntropy::interrupted_then_real:
      kernel_entropy = KernelEntropy::real;
      errno = EINTR;
      return -1;
    case KernelEntropy::counts_up_two_at_a_time:
      return count_up(bytes, size);
  }
  return ::syscall(SYS_getrandom, bytes, size, flags);
}

}  // namespace

NextKey::NextKey(const std::array<std::uint8_t, 32>& key) {
  next_key = key;
  key_waits = true;
}

NextKey::~NextKey() {
  if (!key_waits) return;
  std::fputs("a fixed key was not asked for: the generator has its key from elsewhere\n", stderr);
  std::abort();
}

}  // namespace dpvi

// Interposes the C library's function of the same name.
extern "C" ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  return dpvi::entropy(static_cast<std::uint8_t*>(bytes), size, flags);
}
