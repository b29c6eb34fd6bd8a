#pragma once

#include <complex>
#include <cstdint>

#include <dpvi/privacy/dominating_pair.hpp>
#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/loss_lattice.hpp>

namespace dpvi {

// Identical steps within a composition.
struct ComposedSteps {
  DominatingPair<double> pair;
  LossRange range;        // losses below it are rounded up, losses above it become infinite
  double log_moment = 0;  // approximately ln E[e^(tilt L)]; keeps the tilted masses near one
  double steps = 0;
};

// Layout of a composition. The tilted distribution P(L) e^(tilt L) is composed, so that the part
// that determines delta is large and Fourier round-off is relative to it.
struct CompositionGrid {
  double tilt = 0;          // positive
  double far_tilt = 0;      // above tilt; bounds the mass beyond the window (Chernoff)
  double low_tilt = 0;      // positive; bounds the mass below the window (Chernoff, with -low_tilt)
  double window_start = 0;  // start of the range of losses that the circle holds without aliasing
  double window = 0;        // length of that range
  double least_epsilon = 0;    // of interest; losses above it count up to the window's end
  double largest_epsilon = 0;  // largest epsilon of interest
  std::size_t length = 0;      // number of grid points in the window

  double spacing() const { return window / static_cast<double>(length); }
};

// One step's loss lattice after tilting, folded onto a circle of grid.length points. The heaviest
// point is at the circle's start but is stored apart from it. The Fourier transform of the circle
// then has round-off relative to the other points only.
struct TiltedStep {
  ComplexVector circle;           // real part: upper end; imaginary part: lower end
  std::complex<double> heaviest;  // mass at the circle's start, where `circle` is zero
  std::int64_t origin = 0;        // grid index of the circle's start
  double rest = 0;                // sum of `circle`, both ends
  double upper_total = 0;         // sum including the heaviest point, upper end
  double far_log_moment = 0;      // ln of the upper end's sum under the far tilt
  double low_log_moment = 0;      // ln of the lower end's sum under minus the low tilt
  double largest_loss = 0;
  double infinite = 0;  // P-mass at infinite loss, not tilted
};

TiltedStep make_tilted_step(const ComposedSteps& phase, const CompositionGrid& grid);

// Position of a grid index on a circle of `length` points.
std::int64_t place_on_circle(std::int64_t index, std::size_t length);

}  // namespace dpvi
