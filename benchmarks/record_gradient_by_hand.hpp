#pragma once

#include <cstdint>
#include <vector>

// What the tape is measured against: the models written out for one block of 16 records, with
// nothing that the model does not need. Built for AVX2 and FMA. Every gradient has the rows that
// the tape's has; both are clipped by the same clipper.
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
  bool factors;       // products are left undone, as by RecordTape::evaluate_factors()
};

// A model by hand. Columns are the record's reals in order, then its integers as numbers, unless
// `integers` keeps them.
template <class T>
struct HandModel {
  HandDraw<T> (*begin)(int dim, const std::vector<double>& theta);
  void (*evaluate)(const HandDraw<T>& draw, const HandBlock<T>& block);
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
