#pragma once

#include <span>

#include <dpvi/random/internal/gaussian_draw.hpp>

namespace dpvi {

// Standard normal draws for public use: Monte Carlo draws of the variational family, predictions.
// Never the noise of a release: that is add_rounded_gaussian.
//
// The midpoint of the 2^-25 wide cell in which the Gaussian fell, so the same words give the same
// doubles on every machine.
template <WordSource Source>
double standard_normal(Source& source) {
  const GaussianDraw draw = draw_gaussian(source);
  const double magnitude = (static_cast<double>(draw.magnitude) + 0.5) * 0x1p-25;
  return draw.negative ? -magnitude : magnitude;
}

template <WordSource Source>
void fill_standard_normal(Source& source, std::span<double> draws) {
  for (double& draw : draws) draw = standard_normal(source);
}

}  // namespace dpvi
