#pragma once

#include <string>
#include <vector>

namespace dpvi {

// Returns the column names of a CSV file (plain, gzip or zstd).
//
// Guarantee: no byte after the header line is read from a plain file, so no part of a record is
// read. From a compressed file no more is read than is needed to decompress that line.
std::vector<std::string> read_header_line(const std::string& path);

}  // namespace dpvi
