#include "mpi_ranks.hpp"

#include <mpi.h>

#include <algorithm>

#include <dpvi/base/rank_error.hpp>

namespace dpvi::mpi {
namespace {

constexpr int kExitFailed = 70;
constexpr int kRoot = 0;

// MPI counts in int.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

void require_success(int code, bool& abandoned) {
  if (code == MPI_SUCCESS && !abandoned) return;
  abandoned = true;
  throw rank_failure("a rank was lost, or MPI failed.",
                     "See the message of the lost rank and of mpirun. No result was written; what "
                     "was charged stays charged.");
}

}  // namespace

MpiRanks::MpiRanks(int* argc, char*** argv) {
  require_success(MPI_Init(argc, argv), abandoned_);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiRanks::~MpiRanks() {
  if (abandoned_) MPI_Abort(MPI_COMM_WORLD, kExitFailed);
  MPI_Finalize();
}

void MpiRanks::sum(std::span<std::int64_t> values) {
  require_success(MPI_SUCCESS, abandoned_);
  for (std::size_t done = 0; done < values.size(); done += kMostAtOnce) {
    const std::span<std::int64_t> part =
        values.subspan(done, std::min(kMostAtOnce, values.size() - done));
    const auto count = static_cast<int>(part.size());
    const void* from = rank_ == kRoot ? MPI_IN_PLACE : part.data();
    require_success(
        MPI_Reduce(from, part.data(), count, MPI_INT64_T, MPI_SUM, kRoot, MPI_COMM_WORLD),
        abandoned_);
  }
}

void MpiRanks::broadcast(std::span<std::byte> bytes) {
  require_success(MPI_SUCCESS, abandoned_);
  for (std::size_t done = 0; done < bytes.size(); done += kMostAtOnce) {
    const std::span<std::byte> part =
        bytes.subspan(done, std::min(kMostAtOnce, bytes.size() - done));
    require_success(
        MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_BYTE, kRoot, MPI_COMM_WORLD),
        abandoned_);
  }
}

}  // namespace dpvi::mpi
