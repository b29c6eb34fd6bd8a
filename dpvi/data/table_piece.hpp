#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dpvi {

// Internal to the record table: memory for some of its rows, given back with the piece. What it
// holds at first is not defined. Memory comes in the system's large pages where it can: a row that
// is read at random would else cost a walk through the page table. Pages nobody writes to cost
// nothing.
struct FreeTablePiece {
  void operator()(std::uint32_t* words) const;
};
using TablePiece = std::unique_ptr<std::uint32_t[], FreeTablePiece>;

// `first`: of the table. It begins with ordinary pages, so that a small table stays small.
TablePiece make_table_piece(std::size_t words, bool first);

}  // namespace dpvi
