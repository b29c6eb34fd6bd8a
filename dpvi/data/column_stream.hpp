#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/memory_table.hpp>

namespace dpvi {

// A table that another program holds, such as a data frame. Its names are known at once; its rows
// come in pieces, once, when records are opened.
class ColumnStream {
 public:
  virtual ~ColumnStream() = default;
  ColumnStream() = default;
  ColumnStream(const ColumnStream&) = delete;
  ColumnStream& operator=(const ColumnStream&) = delete;

  // Reads no cell.
  virtual std::vector<std::string> header() const = 0;
  // Throws InputError (DP340) if the declared type of a column can never be read as the program
  // needs it. Decides by types and declarations alone.
  virtual void refuse_types(const Binding& binding) const = 0;

  // False for a column of a type that no program can use.
  virtual bool can_read(std::size_t) const { return true; }

  // Moves to the next rows. Returns false after the last row. Throws InputError for malformed
  // structure.
  virtual bool next_piece() = 0;
  // The number of rows of the present piece.
  virtual std::size_t rows() const = 0;
  // The cells of one column in the present piece, valid until the next call of next_piece().
  virtual MemoryColumn column(std::size_t position) = 0;
};

// Refuses (DP324) names that are empty or repeated.
void refuse_bad_names(const std::vector<std::string>& names);

// Refuses (DP322) a column, or its list of missing cells, that has not this number of rows.
void refuse_other_length(const MemoryColumn& column, std::size_t rows);

// A table in memory as a stream of one piece. The table must outlive it.
class OnePiece : public ColumnStream {
 public:
  explicit OnePiece(const MemoryTable& table) : table_(table) {}

  std::vector<std::string> header() const override { return table_.header(); }
  void refuse_types(const Binding&) const override {}
  bool next_piece() override;
  std::size_t rows() const override { return table_.columns().front().row_count(); }
  MemoryColumn column(std::size_t position) override { return table_.columns()[position]; }

 private:
  const MemoryTable& table_;
  bool delivered_ = false;
};

}  // namespace dpvi
