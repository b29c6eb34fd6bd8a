#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/gradient/product_run.hpp>

// What the tape is measured against: the models written out for one block of 16 records, with
// nothing that the model does not need, clipping and summing included. Built for AVX2 and FMA.
namespace dpvi {

// What a model computes once a draw.
template <class T>
struct HandDraw {
  int dim = 0;
  std::vector<T> numbers;
};

// One block: columns and integers of 16 records in, log densities and gradient out.
template <class T>
struct HandBlock {
  const T* columns;
  const std::int32_t* integers;
  T* log_density;
  T* gradient;
  std::int32_t* own;  // coordinates of the rows in which each lane has its own
  bool factors;       // of products only the first row is written, their factor
};

// Sums of integers by row, in four parts, each with the bits of kHandRounder added once for every
// fourth lane: the caller takes these away in the end.
struct HandSums {
  std::int64_t* rows;  // four parts of each row
  std::int64_t* own;   // by coordinate, of rows in which each lane has its own
};

inline constexpr std::int64_t kHandRounder = 0x4338000000000000;  // 1.5 * 2^52

// How gradients become integers.
struct HandTarget {
  double unclipped;  // D / C
  double bound;      // D
  float length;      // just below D, of those that are shortened
};

// A model by hand. Columns are the record's reals in order, then its integers as numbers, unless
// `integers` keeps them.
template <class T>
struct HandModel {
  HandDraw<T> (*begin)(int dim, const std::vector<double>& theta);
  // Writes a gradient out, for comparison.
  void (*evaluate)(const HandDraw<T>& draw, const HandBlock<T>& block);
  // Adds the clipped gradients of a block without writing them out. Whether all are within the
  // bound: what is to become of one that rounding lifts above it, which a few records in a million
  // are, is left to others.
  bool (*add)(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
              const std::int32_t* integers, const HandSums& sums);
  // Which of its rows are products that are not written out, none if this is null.
  std::vector<ProductRun<T>> (*products)(const HandDraw<T>& draw, const T* columns);
};

template <class T>
HandModel<T> logistic_by_hand();
template <class T>
HandModel<T> mixture_by_hand();
template <class T>
HandModel<T> hierarchical_by_hand();
template <class T>
HandModel<T> poisson_by_hand();
template <class T>
HandModel<T> survival_by_hand();
template <class T>
HandModel<T> multivariate_by_hand();

}  // namespace dpvi
