#include <dpvi/base/thread_team.hpp>

#include <cassert>

namespace dpvi {

ThreadTeam::ThreadTeam(int workers) {
  assert(workers >= 1);
  try {
    for (int worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { work(worker); });
    }
  } catch (...) {
    stop();
    throw;
  }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  job_ready_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    ++job_number_;
    unfinished_ = static_cast<int>(threads_.size());
    failure_ = nullptr;
  }
  job_ready_.notify_all();
  do_job(0);
  std::unique_lock lock(mutex_);
  job_done_.wait(lock, [this] { return unfinished_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadTeam::work(int worker) {
  std::uint64_t done = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      job_ready_.wait(lock, [&] { return stopping_ || job_number_ != done; });
      if (stopping_) return;
      done = job_number_;
    }
    do_job(worker);
    bool last = false;
    {
      const std::lock_guard lock(mutex_);
      last = --unfinished_ == 0;
    }
    if (last) job_done_.notify_one();
  }
}

void ThreadTeam::do_job(int worker) {
  try {
    (*job_)(worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace dpvi
