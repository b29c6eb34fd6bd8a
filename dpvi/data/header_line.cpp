#include <dpvi/data/header_line.hpp>

#include <dpvi/data/csv_reader.hpp>

namespace dpvi {

std::vector<std::string> read_header_line(const std::string& path) {
  return CsvReader(path).header();
}

}  // namespace dpvi
