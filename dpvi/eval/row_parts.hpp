#pragma once

#include <cstddef>
#include <functional>

namespace dpvi {

// Calls work(worker, first, count) for each part of `rows` rows, in threads. A part has `part_rows`
// rows; the last may have fewer. Workers are numbered from 0.
void for_each_part(
    std::size_t rows, std::size_t part_rows, int threads,
    const std::function<void(int worker, std::size_t first, std::size_t count)>& work);

// A multiple of 16 rows, chosen so that `numbers_per_row` numbers for each row fit in cache.
std::size_t rows_per_part(std::size_t numbers_per_row);

}  // namespace dpvi
