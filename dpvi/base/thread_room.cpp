#include <dpvi/base/thread_room.hpp>

#include <cstdlib>
#include <limits>
#include <new>

namespace dpvi {
namespace {

constexpr std::size_t kBoundary = 64;  // bytes; the first ones hold the number of those that follow

}  // namespace

ThreadRoom::ThreadRoom() : key_{} {
  if (pthread_key_create(&key_, &std::free) != 0) throw std::bad_alloc();
}

ThreadRoom::~ThreadRoom() {
  std::free(pthread_getspecific(key_));
  pthread_key_delete(key_);
}

double* ThreadRoom::numbers(std::size_t count) const {
  auto* kept = static_cast<std::byte*>(pthread_getspecific(key_));
  if (kept == nullptr || *reinterpret_cast<std::size_t*>(kept) < count) {
    constexpr std::size_t kMost =
        (std::numeric_limits<std::size_t>::max() - 2 * kBoundary) / sizeof(double);
    if (count > kMost) throw std::bad_alloc();
    pthread_setspecific(key_, nullptr);
    std::free(kept);
    const std::size_t bytes = count * sizeof(double);
    const std::size_t whole = (bytes + kBoundary - 1) / kBoundary * kBoundary;
    kept = static_cast<std::byte*>(std::aligned_alloc(kBoundary, kBoundary + whole));
    if (kept == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(kept) = count;
    if (pthread_setspecific(key_, kept) != 0) {
      std::free(kept);
      throw std::bad_alloc();
    }
  }
  return reinterpret_cast<double*>(kept + kBoundary);
}

}  // namespace dpvi
