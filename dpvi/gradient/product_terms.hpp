#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/gradient/product_run.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Internal to record gradients: the products of a tape's gradient in the form that the clipper
// reads. The coordinates must be diagonal.
template <class T>
class ProductTerms {
 public:
  ProductTerms(const RecordTape& tape, const Coordinates& coordinates) {
    std::size_t numbers = 0;
    for (const ProductRows& rows : tape.products()) numbers += size(rows.count);
    centres_.resize(numbers);
    if (coordinates.scales()) scales_.resize(numbers);
    std::size_t at = 0;
    for (const ProductRows& rows : tape.products()) {
      ProductRun<T>& run = runs_.emplace_back();
      run.first = size(rows.first);
      run.count = size(rows.count);
      run.step = static_cast<std::ptrdiff_t>(rows.column_step) * kLanes;
      if (rows.has_centres()) run.centres = &centres_[at];
      if (coordinates.scales()) run.scales = &scales_[at];
      const std::size_t coordinate = size(tape.rows().coordinates[run.first]);
      for (std::size_t i = 0; i < run.count && coordinates.scales(); ++i) {
        scales_[at + i] = static_cast<T>(coordinates.factor(coordinate + i, coordinate + i));
      }
      at += run.count;
      columns_.push_back(size(rows.column) * size(kLanes));
    }
  }
  // Not copyable: runs_ points into centres_ and scales_.
  ProductTerms(const ProductTerms&) = delete;
  ProductTerms& operator=(const ProductTerms&) = delete;

  // Must be called after every begin_draw() of the tape.
  void set_centres(const RecordTape& tape, TapeWorkspace<T>& workspace) {
    T* centres = centres_.data();
    for (const ProductRows& rows : tape.products()) {
      if (rows.has_centres()) tape.copy_centres(workspace, rows, centres);
      centres += rows.count;
    }
  }

  // The products of a block whose real columns are `reals`.
  std::span<const ProductRun<T>> runs_of(const T* reals) {
    for (std::size_t i = 0; i < runs_.size(); ++i) runs_[i].columns = reals + columns_[i];
    return runs_;
  }

 private:
  static std::size_t size(std::int32_t count) { return static_cast<std::size_t>(count); }

  std::vector<T> centres_, scales_;
  std::vector<ProductRun<T>> runs_;
  std::vector<std::size_t> columns_;
};

}  // namespace dpvi
