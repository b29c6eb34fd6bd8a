// Loaded ahead of the C library: every request for 32 random bytes, the size of a key, gets the
// same known key. Other sizes are random. The date is always the same, too.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>

extern "C" ssize_t getrandom(void* bytes, std::size_t size, unsigned flags) {
  if (size != 32) return ::syscall(SYS_getrandom, bytes, size, flags);
  volatile unsigned factor =
      0xa7;  // the key is no constant of this file, where a search would find it
  for (unsigned i = 0; i < size; ++i) {
    static_cast<unsigned char*>(bytes)[i] = static_cast<unsigned char>(factor * i + 0x31);
  }
  return 32;
}

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  if (clock != CLOCK_REALTIME) {
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  }
  *time = {1700000000, 0};
  return 0;
}
