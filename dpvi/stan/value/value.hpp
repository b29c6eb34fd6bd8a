#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/stan/syntax/stan_type.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// The sizes of a value: its array dimensions, outermost first, then those of the vector or matrix.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<std::int64_t> sizes) {
    for (const std::int64_t size : sizes) push(size);
  }
  void push(std::int64_t size) { sizes_.at(count_++) = size; }
  std::size_t count() const { return count_; }
  std::int64_t operator[](std::size_t i) const { return sizes_[i]; }
  std::int64_t& operator[](std::size_t i) { return sizes_[i]; }
  std::int64_t total() const;
  Dims from(std::size_t first) const;
  bool operator==(const Dims& other) const;

 private:
  std::array<std::int64_t, kMaxArrayRank + 2> sizes_{};
  std::size_t count_ = 0;
};

// The distance between neighbouring entries along each dimension, in the storage order of a value.
std::vector<std::int64_t> strides_of(StanType type, const Dims& dims);
// The offsets of the entries in JSON order (last index fastest).
std::vector<std::int64_t> offsets_by_rows(StanType type, const Dims& dims);
// The same in the order of Stan's CSV files (first index fastest).
std::vector<std::int64_t> offsets_by_columns(StanType type, const Dims& dims);

// The relation of a value to the records, beyond the dependences of its nodes.
struct RecordTrace {
  bool counts_records = false;  // an int computed from the number of records
  double growth = 0;            // ... and the increment per further record; 0 if it varies
  bool counts_units = false;    // an int computed from the number of units
  bool position = false;        // an int computed from a record's position among the records
  bool over_records = false;    // the leading dimension counts records
  int variable = -1;            // for an unchanged slice of record data: the data variable
  std::int64_t column = 0;      // ... and the first of its columns
  bool operator==(const RecordTrace&) const = default;
};

// A Stan value during symbolic execution: a type, sizes, and nodes of the graph instead of numbers.
// A value is known ("constant") if its nodes are constants.
//
// Entries are stored in one sequence: array elements one after another, first index slowest, each
// vector in order, each matrix in column-major order. They are held as one node or, after
// assignments to single entries, as one node per entry. The two forms are converted into each other
// as needed.
class Value {
 public:
  Value() = default;
  Value(StanType type, const Dims& dims, NodeId flat) : type_(type), dims_(dims), flat_(flat) {}
  Value(StanType type, const Dims& dims, std::vector<NodeId> entries)
      : type_(type),
        dims_(dims),
        entries_(std::make_shared<std::vector<NodeId>>(std::move(entries))),
        has_flat_(false) {}

  // A tuple, or an array of tuples; each part is an array of one component.
  static Value tuple(StanType type, const Dims& dims, std::vector<Value> parts);
  bool is_tuple() const { return parts_ != nullptr; }
  const std::vector<Value>& parts() const { return *parts_; }
  // Marks the leading dimension of the value and of its parts as counting records.
  void note_over_records();

  static Value scalar(StanType type, NodeId node) { return Value(type, Dims(), node); }
  static Value constant_int(GraphBuilder& builder, std::int64_t value);
  static Value constant_real(GraphBuilder& builder, double value);
  // All entries NaN, as in a variable before its first assignment.
  static Value undefined(GraphBuilder& builder, StanType type, const Dims& dims);

  StanType type() const { return type_; }
  const Dims& dims() const { return dims_; }
  std::int64_t size() const { return dims_.total(); }
  bool is_scalar() const { return dims_.count() == 0; }
  // Sizes of the vector or matrix inside the arrays; 1 for a dimension that the type does not have.
  std::int64_t rows() const;
  std::int64_t columns() const;

  NodeId flat(GraphBuilder& builder) const;
  NodeId entry(GraphBuilder& builder, std::int64_t index) const;
  const std::vector<NodeId>& entries(GraphBuilder& builder) const;
  // Returns true if all entries had to be copied because another value shares them.
  bool set_entry(GraphBuilder& builder, std::int64_t index, NodeId node);

  // Element i (from 0) of the outermost array dimension.
  Value array_element(GraphBuilder& builder, std::int64_t i) const;
  Value with_type(StanType type, const Dims& dims) const;

  // True if both certainly have the same nodes; false if that needs a closer comparison.
  bool shares_nodes(const Value& other) const {
    if (parts_ || other.parts_) return parts_ == other.parts_;
    return (has_flat_ && other.has_flat_ && flat_ == other.flat_) ||
           (entries_ && entries_ == other.entries_);
  }

  // The number, or null if this is not a known scalar.
  const double* known(GraphBuilder& builder) const;

  RecordTrace trace;

 private:
  StanType type_;
  Dims dims_;
  mutable NodeId flat_;
  mutable std::shared_ptr<std::vector<NodeId>> entries_;
  std::shared_ptr<const std::vector<Value>> parts_;
  mutable bool has_flat_ = true;
};

// True if the sizes are equal, including those of the parts of tuples.
bool same_shape(const Value& a, const Value& b);

}  // namespace dpvi
