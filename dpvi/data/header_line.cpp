#include <dpvi/data/header_line.hpp>

#include <algorithm>
#include <memory>

#include <dpvi/data/csv_reader.hpp>

namespace dpvi {
namespace {

// The bytes of a file up to the end of its first line, quoted line ends not counting.
class FirstLine final : public ByteSource {
 public:
  explicit FirstLine(ByteSource& file) {
    bool quoted = false;
    char byte = 0;
    while (file.read(&byte, 1) == 1) {
      line_ += byte;
      if (byte == '"') quoted = !quoted;
      if (!quoted && (byte == '\n' || byte == '\r')) return;
    }
  }

  std::size_t read(char* out, std::size_t size) override {
    const std::size_t done = line_.copy(out, size, given_);
    given_ += done;
    return done;
  }

 private:
  std::string line_;
  std::size_t given_ = 0;
};

}  // namespace

std::vector<std::string> read_header_line(const std::string& path) {
  const std::unique_ptr<ByteSource> file = open_bytes(path, ReadAhead::no);
  return CsvReader(path, std::make_unique<FirstLine>(*file)).header();
}

}  // namespace dpvi
