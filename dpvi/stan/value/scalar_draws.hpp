#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace dpvi {

// Returns independent uniform numbers strictly between 0 and 1.
using UniformSource = std::function<double()>;

// Draws from the basic distributions, exact up to rounding.
double draw_standard_normal(const UniformSource& uniform);
double draw_gamma(const UniformSource& uniform, double shape);  // with scale 1
double draw_binomial(const UniformSource& uniform, double trials, double probability);

// True for the names that draw_scalar() knows.
bool has_scalar_draw(std::string_view distribution);

// One variate of one of Stan's scalar distributions, e.g. "normal" with {mu, sigma}. NaN if Stan
// rejects the parameters.
double draw_scalar(const UniformSource& uniform, std::string_view distribution,
                   std::span<const double> parameters);

}  // namespace dpvi
