#include <dpvi/random/sampling_rate.hpp>

#include <fmt/format.h>

#include <cmath>

#include <dpvi/base/error.hpp>

namespace dpvi {

SamplingRate SamplingRate::from_double(double rate) {
  if (!(rate > 0 && rate <= 1)) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("sampling_rate is {}; it must be above 0 and at most 1.", rate),
                     "Give the share of records a step should use, such as 0.1.");
  }
  const double count = std::ceil(std::ldexp(rate, 64));
  if (count == 0x1p64) return SamplingRate(UINT64_MAX);
  return SamplingRate(static_cast<std::uint64_t>(count) - 1);
}

double SamplingRate::value() const {
  if (selects_all()) return 1.0;
  return std::ldexp(static_cast<double>(last_ + 1), -64);
}

}  // namespace dpvi
