#include "numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include <dpvi/base/all_cores.hpp>
#include <dpvi/base/error.hpp>

namespace dpvi::cli {
namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& text,
                         const std::string& rule) {
  throw UsageError(kValueOutsideRule, fmt::format("{} is '{}'; it must be {}.", flag, text, rule),
                   "");
}

}  // namespace

double parse_real(const std::string& flag, const std::string& text) {
  double value = 0;
  const char* begin = text.c_str();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (problem == std::errc::result_out_of_range) {
    refuse(flag, text, "a number that a double can hold (about 1e-308 to 1e308)");
  }
  if (problem != std::errc() || stop != end) refuse(flag, text, "a number, such as 0.5 or 1e-6");
  if (!std::isfinite(value)) refuse(flag, text, "a finite number");
  return value;
}

std::int64_t parse_whole(const std::string& flag, const std::string& text) {
  std::int64_t whole = 0;
  const char* end = text.c_str() + text.size();
  const auto [stop, problem] = std::from_chars(text.c_str(), end, whole);
  if (problem == std::errc() && stop == end) return whole;
  const double value = parse_real(flag, text);
  constexpr double kLargestExact = 9007199254740992.0;
  if (value != std::floor(value) || std::abs(value) > kLargestExact) {
    refuse(flag, text, "a whole number (at most 9007199254740992)");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t parse_whole_in(const std::string& flag, const std::string& text, std::int64_t lower,
                            std::int64_t upper) {
  const std::int64_t value = parse_whole(flag, text);
  if (value < lower || value > upper) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be a whole number from {} to {}.", flag, text,
                                 lower, upper),
                     "");
  }
  return value;
}

int parse_threads(const std::optional<std::string>& text) {
  if (text) return static_cast<int>(parse_whole_in("--threads", *text, 1, 1024));
  return all_cores();
}

std::uint64_t parse_seed(const std::optional<std::string>& text) {
  return text ? static_cast<std::uint64_t>(parse_whole_in("--seed", *text, 0, INT64_MAX)) : 1;
}

}  // namespace dpvi::cli
