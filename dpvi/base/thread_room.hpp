#pragma once

#include <pthread.h>

#include <cstddef>

namespace dpvi {

// Memory for intermediate numbers that each thread keeps, because getting and clearing it anew
// would take longer than the work. A thread_local object with a destructor is no substitute: glibc
// ends the process if it gets no memory to register it.
class ThreadRoom {
 public:
  // Throws std::bad_alloc.
  ThreadRoom();
  // Frees the memory of the calling thread. Others must have ended before.
  ~ThreadRoom();
  ThreadRoom(const ThreadRoom&) = delete;
  ThreadRoom& operator=(const ThreadRoom&) = delete;

  // Room for so many numbers, at a boundary of 64 bytes and with any content. The next call may
  // return other memory. Throws std::bad_alloc.
  double* numbers(std::size_t count) const;

 private:
  pthread_key_t key_;
};

}  // namespace dpvi
