#pragma once

#include <span>

#include <dpvi/tape/math/op.hpp>

namespace dpvi {

// The scalar functions in double precision, and their derivatives. They define what a node
// computes. Constants, parameter-only values and record-only values are computed with them. Lane
// kernels agree with them to a few units in the last place.
//
// A function is NaN outside its domain and never throws. None touches global state, so all may be
// called from several threads.
double unary_value(Op op, double x);

// The derivative at x, where `value` is unary_value(op, x). It is infinite or NaN where no
// derivative exists, except that it is zero for fabs at 0 and for step functions.
double unary_partial(Op op, double x, double value);

double binary_value(Op op, double a, double b);

struct BinaryPartials {
  double first;
  double second;
};

// If min or max ties, the first argument takes the whole derivative.
BinaryPartials binary_partials(Op op, double a, double b, double value);

struct SeveralResult {
  double value;
  double partials[kMaxArguments];
};

// Evaluates an operation of three or four arguments. Value and derivatives come from the same sums,
// so they are computed together.
SeveralResult several_result(Op op, std::span<const double> arguments);

}  // namespace dpvi
