#pragma once

#include <span>

#include <dpvi/tape/op.hpp>

namespace dpvi {

// The functions of one and two arguments in double precision, and their derivatives: what a node
// means. Constants, parameter-only values and record-only values are computed with these; lane
// kernels agree with them to a few units in the last place.
//
// Outside its domain a function is NaN and never throws; none touches global state, so all may be
// called from several threads.
double unary_value(Op op, double x);

// Derivative at x, where `value` is unary_value(op, x). Infinite or NaN where there is none; zero
// for fabs at 0 and for step functions.
double unary_partial(Op op, double x, double value);

double binary_value(Op op, double a, double b);

struct BinaryPartials {
  double first;
  double second;
};

// Where min and max tie, the first argument takes the whole derivative.
BinaryPartials binary_partials(Op op, double a, double b, double value);

struct SeveralResult {
  double value;
  double partials[kMostArguments];
};

// Of three or four arguments. Value and derivatives come from the same sums, so they are computed
// together.
SeveralResult several_result(Op op, std::span<const double> arguments);

}  // namespace dpvi
