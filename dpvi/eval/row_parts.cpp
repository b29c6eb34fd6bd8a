#include <dpvi/eval/row_parts.hpp>

#include <algorithm>
#include <atomic>

#include <dpvi/base/thread_team.hpp>

namespace dpvi {

void for_each_part(
    std::size_t rows, std::size_t part_rows, int threads,
    const std::function<void(int worker, std::size_t first, std::size_t count)>& work) {
  const std::size_t parts = (rows + part_rows - 1) / part_rows;
  std::atomic<std::size_t> next = 0;
  ThreadTeam team(std::clamp(static_cast<int>(std::min<std::size_t>(parts, 1024)), 1, threads));
  team.run([&](int worker) {
    for (std::size_t part = next++; part < parts; part = next++) {
      const std::size_t first = part * part_rows;
      work(worker, first, std::min(part_rows, rows - first));
    }
  });
}

std::size_t rows_per_part(std::size_t numbers_per_row) {
  constexpr std::size_t kNumbers = 1 << 20;
  constexpr std::size_t kBlock = 16;
  constexpr std::size_t kMaxBlocks = 256;
  return kBlock *
         std::clamp<std::size_t>(kNumbers / (kBlock * std::max<std::size_t>(1, numbers_per_row)), 1,
                                 kMaxBlocks);
}

}  // namespace dpvi
