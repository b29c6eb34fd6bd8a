#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <dpvi/api/number_texts.hpp>

namespace dpvi::cli {

using dpvi::parse_positive;
using dpvi::parse_real;
using dpvi::parse_whole;
using dpvi::parse_whole_in;

// Parse --threads (default: all cores) and --seed (default: 1).
int parse_threads(const std::optional<std::string>& text);
std::uint64_t parse_seed(const std::optional<std::string>& text);

}  // namespace dpvi::cli
