#pragma once

#include <cstdint>
#include <string>

namespace dpvi {

// Parses the text of a setting as a number. Throws a UsageError that names the setting, the text
// and the rule. Infinite values, NaN and values too large for their type are refused here; the
// library checks the range of finite values. `name` is the setting as the caller spells it.
double parse_real(const std::string& name, const std::string& text);
double parse_positive(const std::string& name, const std::string& text);

// Accepts whole numbers written as 10000, 1e4 or 1.5e3.
std::int64_t parse_whole(const std::string& name, const std::string& text);
std::int64_t parse_whole_in(const std::string& name, const std::string& text, std::int64_t lower,
                            std::int64_t upper);

}  // namespace dpvi
