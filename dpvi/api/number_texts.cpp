#include <dpvi/api/number_texts.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& text,
                         const std::string& rule) {
  throw UsageError(kValueOutsideRule, fmt::format("{} is '{}'; it must be {}.", name, text, rule),
                   "");
}

}  // namespace

double parse_real(const std::string& name, const std::string& text) {
  double value = 0;
  const char* begin = text.c_str();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (problem == std::errc::result_out_of_range) {
    refuse(name, text, "a number that a double can hold (about 1e-308 to 1e308)");
  }
  if (problem != std::errc() || stop != end) refuse(name, text, "a number, such as 0.5 or 1e-6");
  if (!std::isfinite(value)) refuse(name, text, "a finite number");
  return value;
}

std::int64_t parse_whole(const std::string& name, const std::string& text) {
  std::int64_t whole = 0;
  const char* end = text.c_str() + text.size();
  const auto [stop, problem] = std::from_chars(text.c_str(), end, whole);
  if (problem == std::errc() && stop == end) return whole;
  const double value = parse_real(name, text);
  constexpr double kLargestExact = 9007199254740992.0;
  if (value != std::floor(value) || std::abs(value) > kLargestExact) {
    refuse(name, text, "a whole number (at most 9007199254740992)");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t parse_whole_in(const std::string& name, const std::string& text, std::int64_t lower,
                            std::int64_t upper) {
  const std::int64_t value = parse_whole(name, text);
  if (value < lower || value > upper) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be a whole number from {} to {}.", name, text,
                                 lower, upper),
                     "");
  }
  return value;
}

double parse_positive(const std::string& name, const std::string& text) {
  const double value = parse_real(name, text);
  if (!(value > 0.0)) refuse(name, text, "above 0");
  return value;
}

}  // namespace dpvi
