#pragma once

#include <dpvi/base/rank_link.hpp>

namespace dpvi::mpi {

// The processes that mpirun started. Made once, before anything else of MPI.
class MpiRanks final : public RankLink {
 public:
  MpiRanks(int* argc, char*** argv);
  // Ends MPI. If this rank has abandoned the job, mpirun ends the other processes.
  ~MpiRanks() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<std::int64_t> values) override;
  void broadcast(std::span<std::byte> bytes) override;
  void abandon() noexcept override { abandoned_ = true; }

 private:
  int rank_ = 0, size_ = 1;
  bool abandoned_ = false;
};

}  // namespace dpvi::mpi
