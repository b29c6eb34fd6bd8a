#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/tilted_step.hpp>

namespace dpvi {

// Deltas of a composition, still tilted. For tilted masses f on a circle of grid points, value j is
//   sum over 0 <= m < reach of f(j + m) e^(-tilt m h) (1 - e^(-m h)),
// which is delta at grid point j if the losses beyond `reach` do not matter.
struct TiltedDeltas {
  ComplexVector values;  // real part: upper end; imaginary part: lower end
  double error = 0;      // bound on the error of every value
};

// Spectrum of a composition's tilted loss for both ends. It is the product over all phases, in
// polar form, with a bound on every entry's error.
class LossSpectrum {
 public:
  explicit LossSpectrum(std::size_t length);

  void multiply(const TiltedStep& step, double steps);

  // Sums in the frequency domain, where errors at high frequencies have little effect.
  TiltedDeltas deltas(const CompositionGrid& grid, std::size_t reach) const;

 private:
  // Entries at non-negative frequencies, as logarithms.
  struct End {
    std::vector<double> log_size;  // -infinity if negligible
    std::vector<double> angle;
    std::vector<double> spread;  // ln of the factor by which the true size may be larger

    explicit End(std::size_t count) : log_size(count), angle(count), spread(count) {}
  };
  struct Power {
    double error;  // bound on the error of each factor
    double steps;  // exponent
    double least;  // factors that stay below this with their error are negligible
  };
  struct Entry {
    std::complex<double> value;
    double size = 0;
    double error = 0;
  };
  static void multiply_entry(End& end, std::size_t k, std::complex<double> factor,
                             const Power& power);
  Entry entry(const End& end, std::size_t k) const;

  std::size_t length_;
  End upper_, lower_;
  double log_total_ = 0;  // ln of an upper bound on the size of every entry
};

}  // namespace dpvi
