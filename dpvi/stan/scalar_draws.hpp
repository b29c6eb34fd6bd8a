#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace dpvi {

// Independent numbers, uniform and strictly between 0 and 1.
using UniformSource = std::function<double()>;

// Exact draws (up to rounding) from the distributions that others are made of.
double draw_standard_normal(const UniformSource& uniform);
double draw_gamma(const UniformSource& uniform, double shape);  // of scale 1
double draw_binomial(const UniformSource& uniform, double trials, double probability);

// One variate of one of Stan's distributions over numbers, e.g. "normal" with {mu, sigma}. NaN
// where Stan refuses the parameters.
double draw_scalar(const UniformSource& uniform, std::string_view distribution,
                   std::span<const double> parameters);

}  // namespace dpvi
