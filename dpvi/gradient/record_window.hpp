#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <dpvi/base/precision.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// A few records of a table that is not in memory. One thread uses it.
class RecordWindow {
 public:
  virtual ~RecordWindow() = default;

  // The records that were loaded last, numbered from 0 in the order of the request. The same object
  // at all times.
  virtual const RecordTable& table() const = 0;
  virtual void load(std::span<const std::uint64_t> records) = 0;
};

// Records that are read again in every step, a window at a time. Every row is a record.
//
// Guarantee: what a window holds of a record depends on that record alone, and equals what a table
// in memory would hold.
class StoredRecords {
 public:
  virtual ~StoredRecords() = default;

  virtual std::uint64_t record_count() const = 0;
  virtual Precision precision() const = 0;
  // Windows may be used by different threads. They must not outlive this object.
  virtual std::unique_ptr<RecordWindow> window() const = 0;
};

}  // namespace dpvi
