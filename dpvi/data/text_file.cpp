#include <dpvi/data/text_file.hpp>

#include <string_view>

#include <dpvi/data/byte_source.hpp>

namespace dpvi {

std::string read_whole_file(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  constexpr std::size_t kChunk = 1 << 16;
  std::string content;
  std::size_t filled = 0;
  do {
    content.resize(content.size() + kChunk);
    filled = source->read(content.data() + content.size() - kChunk, kChunk);
    content.resize(content.size() - kChunk + filled);
  } while (filled > 0);
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  return content;
}

std::vector<std::string> read_lines(const std::string& path) {
  const std::string content = read_whole_file(path);
  std::vector<std::string> lines;
  std::string_view rest = content;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace dpvi
