// Measures what a step costs between ranks: the announcement of theta and the checked sum.
//   mpirun -n 4 build/release/benchmarks/rank_exchange
// Checks the sums. Prints microseconds of the fastest of many exchanges, and their median.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include <dpvi/base/checked_rank_sum.hpp>
#include <dpvi/fit/train/step_message.hpp>

#include "../mpi/mpi_ranks.hpp"

namespace dpvi {
namespace {

constexpr int kRepetitions = 200;

struct Times {
  double fastest, median;
};

Times microseconds(const std::function<void()>& exchange) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const Clock::time_point start = Clock::now();
    exchange();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2]};
}

void announce(RankLink& ranks, std::size_t dimension) {
  if (!ranks.is_root()) {
    static_cast<void>(receive_step(ranks));
    return;
  }
  const std::vector<double> theta(dimension, 0.5);
  send_step(ranks, {.clip = {.grid = NoiseGrid(1.0), .dimension = dimension, .max_records = 1},
                    .rate = SamplingRate::from_double(0.1),
                    .theta = theta,
                    .joint = {}});
}

void add(RankLink& ranks, CheckedRankSum& sum, std::size_t dimension) {
  std::vector<std::int64_t> values(dimension, ranks.rank() + 1);
  sum.sum(values);
  const std::int64_t expected = ranks.size() * (ranks.size() + 1) / 2;
  if (ranks.is_root() && values.back() != expected) std::abort();
}

}  // namespace
}  // namespace dpvi

int main(int argc, char** argv) {
  using namespace dpvi;
  mpi::MpiRanks ranks(&argc, &argv);
  CheckedRankSum sum(ranks);
  for (const std::size_t dimension : {std::size_t{100}, std::size_t{10000}, std::size_t{100000}}) {
    const Times sent = microseconds([&] { announce(ranks, dimension); });
    const Times added = microseconds([&] { add(ranks, sum, dimension); });
    if (!ranks.is_root()) continue;
    fmt::print("{} ranks, D = {:6}: announce {:.0f} ({:.0f}) us, sum {:.0f} ({:.0f}) us\n",
               ranks.size(), dimension, sent.fastest, sent.median, added.fastest, added.median);
  }
}
