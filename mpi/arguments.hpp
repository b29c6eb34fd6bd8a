#pragma once

#include <string>
#include <vector>

#include <dpvi/api/program.hpp>
#include <dpvi/api/rank_job.hpp>

namespace dpvi::mpi {

// What a rank shall do, from the words of the command.
struct Arguments {
  ProgramSource source;
  RankFit fit;
  bool quiet = false;
};

inline constexpr const char* kUsage =
    "Fits a Stan program to private records on several processes, as 'dpvi fit' does on one:\n"
    "  mpirun -n RANKS dpvi-mpi MODEL.stan DATA --out FOLDER [--schema FILE] [--public FILE]\n"
    "      [--ledger FILE] [--data-version NAME] [--checkpoint FILE] [--one-row-per-person]\n"
    "      [--title TEXT] [--records NAME] [--quiet] and the settings of 'dpvi fit', such as "
    "--epsilon 1\n"
    "If DATA contains {rank}, every process reads its own part of the records: 0, 1, ... take its\n"
    "place. Otherwise each reads the whole table and takes a range of its records.\n";

// Throws UsageError for words that it does not know.
Arguments arguments_of(const std::vector<std::string>& words, int rank);

}  // namespace dpvi::mpi
