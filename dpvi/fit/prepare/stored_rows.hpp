#pragma once

#include <functional>
#include <memory>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_store.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/gradient/record_window.hpp>

namespace dpvi {

// The rows of a record store as records that are read again in every step: declarations are applied
// and rows are prepared by the code that fills a table in memory, so both hold the same bits.
// Memory is bounded by the windows.
class StoredRows : public StoredRecords {
 public:
  using MakeRecords = std::function<PreparedRecords()>;

  // The store was verified, and no unit is bound. `empty` makes tables without rows.
  StoredRows(std::shared_ptr<const RecordStore> store, Binding binding, MakeRecords empty);

  std::uint64_t record_count() const override { return store_->rows(); }
  Precision precision() const override { return precision_; }
  std::unique_ptr<RecordWindow> window() const override;

 private:
  std::shared_ptr<const RecordStore> store_;
  Binding binding_;
  MakeRecords empty_;
  Precision precision_;
};

}  // namespace dpvi
