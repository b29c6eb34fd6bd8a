#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/record_store.hpp>

namespace dpvi {

// Refuses (DP381) a store whose bound columns or unit were read under other declarations than those
// of the schema: other levels, another way to write cells, other texts that mean missing. Looks at
// declarations alone.
void refuse_other_declarations(const RecordStore& store, const Schema& schema,
                               const Binding& binding);

// Turns rows of a store into typed cells of the requested columns.
class StoreCells {
 public:
  StoreCells(const RecordStore& store, const ColumnRequest& request);

  // Sets row `to` of the block from the bytes of a row.
  void decode(const char* row, TypedBlock& block, std::size_t to) const;
  bool has_unit() const { return unit_at_.has_value(); }

 private:
  struct Place {
    StoredColumn column;
    std::size_t at;  // in the bytes of a row
  };

  std::vector<Place> places_;
  std::optional<std::size_t> unit_at_;
};

// The rows of a verified store in order.
class StoreColumns : public ColumnSource {
 public:
  StoreColumns(const RecordStore& store, const ColumnRequest& request);

  const TypedBlock* next_block() override;

 private:
  void number_units();

  const RecordStore& store_;
  StoreCells cells_;
  TypedBlock block_;
  std::vector<char> bytes_;
  std::uint64_t next_ = 0;
  std::uint32_t units_ = 0;  // seen so far
};

}  // namespace dpvi
