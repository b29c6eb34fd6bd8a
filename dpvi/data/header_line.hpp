#pragma once

#include <string>
#include <vector>

namespace dpvi {

// The column names of a CSV file (plain, gzip or zstd).
// Guarantee: no byte behind the header line is read from a plain file, so that nothing of a record
// is looked at. From a compressed one no more is taken than it needs to give that line.
std::vector<std::string> read_header_line(const std::string& path);

}  // namespace dpvi
