#pragma once

#include <string>
#include <vector>

namespace dpvi {

// The whole content, decompressed, without a byte order mark.
std::string read_whole_file(const std::string& path);

// The lines of a text file, each ended by LF or CRLF; the last line may lack its end.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace dpvi
