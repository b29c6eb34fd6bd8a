#include <dpvi/stan/syntax/source_text.hpp>

namespace dpvi {

SourceText::SourceText(std::string file_name, std::string text)
    : file_name_(std::move(file_name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number - 1];
  std::size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
  while (end > begin && (text_[end - 1] == '\r' || text_[end - 1] == '\n')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace dpvi
