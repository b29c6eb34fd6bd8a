#pragma once

#include <string>
#include <vector>

namespace dpvi {

// Returns the whole content, decompressed and without a byte order mark.
std::string read_whole_file(const std::string& path);

// Returns the lines of a text file. Lines end in LF or CRLF; the last line may lack its end.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace dpvi
