#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/rank_error.hpp>
#include <dpvi/random/key_memory.hpp>

#include "../cli/exit_codes.hpp"
#include "arguments.hpp"
#include "mpi_ranks.hpp"

namespace dpvi::mpi {
namespace {

// Every rank reports its own failure; of those that another one caused, the root alone does.
int report(const MpiRanks& ranks, const Error& error) {
  const bool caused = error.code().id == kRankFailed.id;
  if (!caused || ranks.is_root()) {
    fmt::print(stderr, "rank {}: {}\n", ranks.rank(), error.what());
  }
  return cli::exit_code(error.code().kind);
}

int fit(MpiRanks& ranks, const std::vector<std::string>& words) {
  try {
    RankJob job(ranks);
    const Arguments arguments = arguments_of(words, ranks.rank());
    const Program program = read_program(arguments.source);
    const bool recorded = fit_on_ranks(job, program, arguments.fit);
    if (!job.is_root()) return cli::kExitOk;
    if (!recorded) {
      fmt::print(stderr,
                 "warning: the ledger could not record the release; the fit stays charged.\n");
    }
    if (!arguments.quiet) fmt::print("wrote {}\n", arguments.fit.bundle);
    return cli::kExitOk;
  } catch (const Error& error) {
    return report(ranks, error);
  } catch (const std::bad_alloc&) {
    return report(ranks, InternalError(kInternal, "out of memory.",
                                       "Use more ranks, or machines with more memory."));
  } catch (const std::exception& error) {
    return report(ranks, InternalError(kInternal, fmt::format("unexpected: {}.", error.what()),
                                       "This is a bug in dpvi; please report it."));
  }
}

}  // namespace
}  // namespace dpvi::mpi

int main(int argc, char** argv) {
  using namespace dpvi;
  std::signal(SIGXFSZ, SIG_IGN);
  // Before any key is used, and before MPI uses OpenSSL.
  keep_keys_in_key_memory();
  forbid_core_dumps();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (std::ranges::find(words, "--help") != words.end()) {
    std::fputs(mpi::kUsage, stdout);
    return 0;
  }
  mpi::MpiRanks ranks(&argc, &argv);
  return mpi::fit(ranks, words);
}
