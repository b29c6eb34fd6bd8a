// A library for LD_PRELOAD that makes one allocation of a program fail. Allocations are numbered by
// their call stacks, in the order in which new stacks appear since main() began:
//   DPVI_FAILING_ALLOCATION=K   the first allocation of stack K returns no memory (0: none fails)
//   DPVI_COUNT_ALLOCATIONS=FILE the number of stacks is written to FILE at the end
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

constexpr std::size_t kTableSize = std::size_t{1} << 18;
constexpr int kDepth = 14;

// A set of numbers that allocates nothing.
class NumberSet {
 public:
  // Returns true if the number is new.
  bool insert(std::uint64_t number) {
    number |= 1;
    for (std::size_t i = number % kTableSize, tried = 0; tried < kTableSize; ++tried) {
      if (numbers_[i] == number) return false;
      if (numbers_[i] == 0) {
        numbers_[i] = number;
        return true;
      }
      i = (i + 1) % kTableSize;
    }
    return false;
  }

 private:
  std::uint64_t numbers_[kTableSize] = {};
};

NumberSet seen_places, seen_stacks;
bool in_main = false;
long stacks = 0, failing = 0;
int lock = 0;
thread_local bool inside = false;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  return (hash ^ number) * 0x9E3779B97F4A7C15U + (hash >> 29);
}

bool is_new_stack(void* caller) {
  // The same caller at the same depth of the stack has the same callers, nearly always.
  const auto place = mixed(reinterpret_cast<std::uintptr_t>(caller),
                           reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  if (!seen_places.insert(place)) return false;
  void* frames[kDepth];
  const int depth = backtrace(frames, kDepth);
  std::uint64_t hash = 1;
  for (int i = 0; i < depth; ++i) hash = mixed(hash, reinterpret_cast<std::uintptr_t>(frames[i]));
  return seen_stacks.insert(hash);
}

bool must_fail(void* caller) {
  if (!in_main || inside) return false;
  inside = true;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) continue;
  bool fail = false;
  if (is_new_stack(caller)) fail = ++stacks == failing;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  inside = false;
  if (fail) errno = ENOMEM;
  return fail;
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads the unwinder
  const char* number = std::getenv("DPVI_FAILING_ALLOCATION");
  failing = number == nullptr ? 0 : std::atol(number);
  in_main = true;
  return real_main(argc, argv, environment);
}

__attribute__((destructor)) void write_count() {
  in_main = false;
  const char* file = std::getenv("DPVI_COUNT_ALLOCATIONS");
  if (file == nullptr) return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", stacks);
  const int out = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out >= 0 && ::write(out, text, static_cast<std::size_t>(size)) == size) ::close(out);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  return must_fail(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return must_fail(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return must_fail(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return must_fail(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  void* made = must_fail(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *out = made;
  return 0;
}

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*at_end)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  real_main = main;
  return start(counted_main, argc, argv, init, fini, at_end, stack_end);
}
}
