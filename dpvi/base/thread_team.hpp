#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dpvi {

// A fixed number of threads that repeatedly work on one job together. The caller is worker 0, and
// the other threads wait between jobs, so a job takes only microseconds to start.
class ThreadTeam {
 public:
  explicit ThreadTeam(int workers);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls job(worker) once for each worker and returns when all have finished. If any of them
  // throw, one of the exceptions is rethrown here.
  void run(const std::function<void(int worker)>& job);

 private:
  void stop();
  void work(int worker);
  void do_job(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable job_ready_;
  std::condition_variable job_done_;
  const std::function<void(int)>* job_ = nullptr;
  std::uint64_t job_number_ = 0;
  int unfinished_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
};

}  // namespace dpvi
