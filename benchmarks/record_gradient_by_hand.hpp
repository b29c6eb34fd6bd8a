#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/gradient/product_run.hpp>

// The tape's reference: each model hand-written for one block of 16 records, including clipping and
// summing, with nothing that the model does not need. Built for AVX2 and FMA.
namespace dpvi {

// Quantities that a model computes once per draw.
template <class T>
struct HandDraw {
  int dim = 0;
  std::vector<T> numbers;
};

// One block: reads columns and integers of 16 records, writes log densities and the gradient.
template <class T>
struct HandBlock {
  const T* columns;
  const std::int32_t* integers;
  T* log_density;
  T* gradient;
  std::int32_t* own;  // coordinates of the rows whose coordinate differs between lanes
  bool factors;       // only the first row of each product is written: its factor
};

// Sums of integers by row, in four parts. Each part contains the bits of kHandRounder once for
// every fourth lane; the caller subtracts them at the end.
struct HandSums {
  std::int64_t* rows;  // four parts of each row
  std::int64_t* own;   // by coordinate, for rows whose coordinate differs between lanes
};

inline constexpr std::int64_t kHandRounder = 0x4338000000000000;  // 1.5 * 2^52

// Parameters of the conversion from gradients to integers.
struct HandTarget {
  double unclipped;  // D / C
  double bound;      // D
  float length;      // just below D: length of shortened gradients
};

// A hand-written model. Columns are the record's reals in order, then its integers as numbers,
// unless `integers` keeps them.
template <class T>
struct HandModel {
  HandDraw<T> (*begin)(int dim, const std::vector<double>& theta);
  // Writes a gradient out, for comparison.
  void (*evaluate)(const HandDraw<T>& draw, const HandBlock<T>& block);
  // Adds the clipped gradients of a block without writing them out. Returns whether all are within
  // the bound. Rounding lifts a few records in a million above it; this code does not repair them.
  bool (*add)(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
              const std::int32_t* integers, const HandSums& sums);
  // Returns the rows that are products and are not written out. If this is null, there are none.
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
