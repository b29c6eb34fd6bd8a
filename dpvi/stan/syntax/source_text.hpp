#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// A position in a program; line and column count from 1, columns count bytes. 0:0 means no
// position.
struct Spot {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const Spot&) const = default;
};

// The text of a program and its file name for messages.
class SourceText {
 public:
  SourceText(std::string file_name, std::string text);

  const std::string& file_name() const { return file_name_; }
  std::string_view text() const { return text_; }
  // The line without its line ending; empty if there is no such line.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string file_name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace dpvi
