#include <dpvi/report/number_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace dpvi {
namespace {

constexpr int kBoundDigits = 4;

std::string non_finite_name(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0.0 ? "Inf" : "-Inf";
}

}  // namespace

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : non_finite_name(value);
}

double rounded_number(double value, int digits) {
  if (!std::isfinite(value)) return value;
  const double rounded = std::strtod(number_text(value, digits).c_str(), nullptr);
  return std::isfinite(rounded) ? rounded : value;
}

std::string exact_text(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : non_finite_name(value);
}

std::string rounded_up(double value) {
  std::string nearest = number_text(value, kBoundDigits);
  if (!std::isfinite(value) || std::strtod(nearest.c_str(), nullptr) >= value) return nearest;
  // Adds half a unit of the last figure, so that a number that was rounded down is rounded up
  // instead.
  const double exponent = std::floor(std::log10(std::abs(value)));
  return number_text(value + 0.5 * std::pow(10.0, exponent - kBoundDigits + 1), kBoundDigits);
}

std::string rounded_down(double value) {
  std::string opposite = rounded_up(-value);
  return opposite.starts_with('-') ? opposite.substr(1)
         : opposite == "0"         ? opposite
                                   : "-" + opposite;
}

}  // namespace dpvi
