#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dpvi::cli {

// The number that a flag's text says, or a UsageError that names flag, text and rule. Infinite
// values, NaN and numbers too large for their type are refused here; whether a finite number is
// sensible is for the library to say.
double parse_real(const std::string& flag, const std::string& text);

// Whole numbers may be written as 10000, 1e4 or 1.5e3.
std::int64_t parse_whole(const std::string& flag, const std::string& text);
std::int64_t parse_whole_in(const std::string& flag, const std::string& text, std::int64_t lower,
                            std::int64_t upper);

// Of the flags --threads (default: all cores) and --seed (default: 1).
int parse_threads(const std::optional<std::string>& text);
std::uint64_t parse_seed(const std::optional<std::string>& text);

}  // namespace dpvi::cli
