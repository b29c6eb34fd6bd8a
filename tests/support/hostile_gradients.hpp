#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace dpvi {

// Gradients of single records, chosen to break a clipper: ordinary ones, sparse ones, ones whose
// norm overflows or underflows, and ones that are not finite. All are the same on every run.
template <class T>
class HostileGradients {
 public:
  explicit HostileGradients(std::size_t dimension, std::uint64_t seed = 1)
      : dimension_(dimension), engine_(seed) {}

  // Returns a finite gradient; its kind changes from call to call.
  std::vector<T> finite() {
    switch (calls_++ % 8) {
      case 0:
        return normal(1.0);
      case 1:
        return normal(0x1p-60);
      case 2:
        return normal(0x1p60);
      case 3:
        return filled(std::numeric_limits<T>::max());
      case 4:
        return filled(std::numeric_limits<T>::denorm_min());
      case 5:
        return single(std::numeric_limits<T>::max());
      case 6:
        return spread();
      default:
        return filled(T{1});
    }
  }

  // Returns a gradient with a NaN or an infinity at a random position.
  std::vector<T> not_finite() {
    std::vector<T> gradient = finite();
    T& entry = gradient[engine_() % dimension_];
    entry = engine_() % 2 == 0 ? std::numeric_limits<T>::quiet_NaN()
                               : -std::numeric_limits<T>::infinity();
    return gradient;
  }

  // Returns any of the above, or zero.
  std::vector<T> any() {
    switch (engine_() % 8) {
      case 0:
        return not_finite();
      case 1:
        return filled(T{0});
      default:
        return finite();
    }
  }

  std::vector<T> normal(double scale) {
    std::normal_distribution<double> law(0.0, scale);
    std::vector<T> gradient(dimension_);
    for (T& entry : gradient) entry = static_cast<T>(law(engine_));
    return gradient;
  }

  std::vector<T> filled(T value) { return std::vector<T>(dimension_, value); }

  std::vector<T> single(T value) {
    std::vector<T> gradient(dimension_, T{0});
    gradient[engine_() % dimension_] = -value;
    return gradient;
  }

  // Returns entries of every order of magnitude, from denormals to the largest.
  std::vector<T> spread() {
    using Limits = std::numeric_limits<T>;
    std::uniform_int_distribution<int> exponent(Limits::min_exponent - Limits::digits,
                                                Limits::max_exponent - 1);
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::vector<T> gradient(dimension_);
    for (T& entry : gradient) {
      entry = static_cast<T>(std::ldexp(static_cast<T>(mantissa(engine_)), exponent(engine_)));
    }
    return gradient;
  }

 private:
  std::size_t dimension_;
  std::mt19937_64 engine_;
  std::size_t calls_ = 0;
};

}  // namespace dpvi
