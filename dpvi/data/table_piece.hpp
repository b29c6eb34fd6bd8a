#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dpvi {

// Internal to the record table: memory for some of its rows, freed with the piece. Its initial
// content is undefined. The memory uses large pages of the system where possible: random access to
// rows would otherwise cost a page-table walk each. Pages that are never written cost nothing.
struct FreeTablePiece {
  void operator()(std::uint32_t* words) const;
};
using TablePiece = std::unique_ptr<std::uint32_t[], FreeTablePiece>;

// `first` is true for the first piece of a table. It begins with ordinary pages, so that a small
// table stays small.
TablePiece make_table_piece(std::size_t words, bool first);

}  // namespace dpvi
