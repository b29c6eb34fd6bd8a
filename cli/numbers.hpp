#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dpvi::cli {

// Parses a flag's value as a number. Throws a UsageError that names the flag, the text and the
// rule. Infinite values, NaN and values too large for their type are refused here; the library
// checks the range of finite values.
double parse_real(const std::string& flag, const std::string& text);

// Accepts whole numbers written as 10000, 1e4 or 1.5e3.
std::int64_t parse_whole(const std::string& flag, const std::string& text);
std::int64_t parse_whole_in(const std::string& flag, const std::string& text, std::int64_t lower,
                            std::int64_t upper);

// Parse --threads (default: all cores) and --seed (default: 1).
int parse_threads(const std::optional<std::string>& text);
std::uint64_t parse_seed(const std::optional<std::string>& text);

}  // namespace dpvi::cli
