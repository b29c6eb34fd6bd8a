#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/data/arrow_abi.hpp>
#include <dpvi/data/arrow_column.hpp>
#include <dpvi/data/column_stream.hpp>

namespace dpvi {

// A data frame that is handed over by the Arrow C stream interface, as pandas, polars, pyarrow,
// duckdb and others do. No Arrow library is needed. Columns of these types can be read: Booleans (0
// and 1), whole and real numbers of every width, decimals of up to 128 bits, texts, dates and
// timestamps (as texts), and dictionaries of these. Columns of other types are refused if the
// program uses them.
//
// Guarantee: whatever the structs of a producer say, reading ends with rows or with an InputError
// that quotes no cell. What the producer says about its own errors is not repeated.
class ArrowStream : public ColumnStream {
 public:
  // Takes over the stream, which is released with this object, and reads names and types. Throws
  // InputError DP324, DP326 or DP327.
  explicit ArrowStream(ArrowArrayStream* stream);
  ~ArrowStream() override;

  std::vector<std::string> header() const override;
  // The kind of each column.
  std::vector<ArrowKind> kinds() const;
  void refuse_types(const Binding& binding) const override;
  bool can_read(std::size_t position) const override {
    return columns_[position].kind() != ArrowKind::unreadable;
  }
  bool next_piece() override;
  std::size_t rows() const override { return static_cast<std::size_t>(piece_.count); }
  MemoryColumn column(std::size_t position) override;

 private:
  void read_schema();
  bool next_batch();
  void check_batch() const;
  void release() noexcept;

  ArrowArrayStream stream_;
  ArrowArray batch_;
  std::vector<ArrowColumn> columns_;
  std::vector<bool> started_;  // of the columns, for the present batch
  ArrowRows piece_;            // in the batch, without its offset
};

}  // namespace dpvi
