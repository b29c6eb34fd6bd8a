#pragma once

#include <complex>
#include <cstdint>

#include <dpvi/privacy/dominating_pair.hpp>
#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/loss_lattice.hpp>

namespace dpvi {

// Steps of one kind inside a composition.
struct ComposedSteps {
  DominatingPair<double> pair;
  LossRange range;        // losses outside are rounded up (below) or infinite (above)
  double log_moment = 0;  // about ln E[e^(tilt L)]; keeps the tilted masses near one
  double steps = 0;
};

// How a composition is laid out. The tilted distribution P(L) e^(tilt L) is the one that is
// composed, so that the part which decides delta is large and Fourier round-off relative to it.
struct CompositionGrid {
  double tilt = 0;      // positive
  double far_tilt = 0;  // above tilt; bounds what lies beyond the window (Chernoff)
  double low_tilt = 0;  // positive; bounds what lies below the window (Chernoff, with -low_tilt)
  double window_start = 0;     // losses from here on are told apart from those a turn higher
  double window = 0;           // their range
  double least_epsilon = 0;    // of interest; losses over it count up to the window's end
  double largest_epsilon = 0;  // of interest
  std::size_t length = 0;      // number of grid points in it

  double spacing() const { return window / static_cast<double>(length); }
};

// One step's loss lattice after tilting, folded onto a circle of grid.length points. The heaviest
// point sits at the circle's start and apart from it: a Fourier transform of the circle then has
// round-off relative to the rest only.
struct TiltedStep {
  ComplexVector circle;           // real part upper, imaginary part lower end
  std::complex<double> heaviest;  // at the circle's start, where `circle` has zero
  std::int64_t origin = 0;        // grid index of the circle's start
  double rest = 0;                // total of `circle`, both ends
  double upper_total = 0;         // with the heaviest point, upper end
  double far_log_moment = 0;      // ln of the upper end's sum under the far tilt
  double low_log_moment = 0;      // ln of the lower end's sum under minus the low tilt
  double largest_loss = 0;
  double infinite = 0;  // P-mass at infinite loss, not tilted
};

TiltedStep make_tilted_step(const ComposedSteps& phase, const CompositionGrid& grid);

// Where on a circle of `length` points a grid index falls.
std::int64_t place_on_circle(std::int64_t index, std::size_t length);

}  // namespace dpvi
