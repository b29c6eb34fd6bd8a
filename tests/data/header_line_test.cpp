#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/header_line.hpp>
#include <dpvi/data/utf8.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using Names = std::vector<std::string>;
using namespace std::string_literals;

TEST(HeaderLine, EndsWhereTheFirstRowDoes) {
  const TemporaryFolder folder;
  const auto header = [&](const std::string& text) {
    return read_header_line(folder.write("t.csv", text));
  };
  EXPECT_EQ(header("a,b\n1\n"), (Names{"a", "b"}));
  EXPECT_EQ(header("a,b"), (Names{"a", "b"}));
  EXPECT_EQ(header("a\r\n"), (Names{"a"}));
  EXPECT_EQ(header("a\r1\r"), (Names{"a"}));
  EXPECT_EQ(header("\"a\nb\",\"c\"\"\n\"\nrest"), (Names{"a\nb", "c\"\n"}));
  EXPECT_EQ(header("a,b\n\0\0"s), (Names{"a", "b"}));
}

// Counts the bytes read from it.
class CountedBytes final : public ByteSource {
 public:
  CountedBytes(std::string text, std::size_t& taken) : text_(std::move(text)), taken_(taken) {}

  std::size_t read(char* out, std::size_t size) override {
    const std::size_t done = text_.copy(out, size, taken_);
    taken_ += done;
    return done;
  }

 private:
  std::string text_;
  std::size_t& taken_;
};

// Guarantee: before next_row() is called, no byte after the header line is read from a plain file.
TEST(HeaderLine, NothingBehindItIsReadBeforeTheFirstRowIsAskedFor) {
  for (const auto& [header, row] :
       {std::pair{"a,b\n"s, "1,2\n"s}, std::pair{"a,b\r\n"s, "1,2\r\n"s},
        std::pair{"a,b\r"s, "1,2\r"s}, std::pair{"\"a\n\",\"b\"\"\"\n"s, "1,2"s},
        std::pair{"\xEF\xBB\xBF"s + "a,b\n"s, "\"1\",2\n"s}}) {
    std::size_t taken = 0;
    CsvReader csv("t.csv", std::make_unique<CountedBytes>(header + row, taken));
    // For CR LF only the CR is read: the next byte might belong to a row.
    EXPECT_EQ(taken, header.size() - (header.ends_with("\r\n") ? 1 : 0)) << header;
    EXPECT_EQ(csv.header().size(), 2u);
    ASSERT_TRUE(csv.next_row());
    EXPECT_EQ(csv.cells()[0], "1");
    EXPECT_EQ(csv.cells()[1], "2");
    EXPECT_FALSE(csv.next_row());
  }
}

// A file that is a pipe. It shows which bytes were taken from it.
class FileOfOneReader {
 public:
  FileOfOneReader(const std::string& path, const std::string& content) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    pipe_ = open(path.c_str(), O_RDWR | O_NONBLOCK);
    EXPECT_EQ(write(pipe_, content.data(), content.size()), std::ssize(content));
  }
  ~FileOfOneReader() { close(pipe_); }
  FileOfOneReader(const FileOfOneReader&) = delete;
  FileOfOneReader& operator=(const FileOfOneReader&) = delete;

  std::string rest() const {
    std::string bytes(4096, '\0');
    const ssize_t count = ::read(pipe_, bytes.data(), bytes.size());
    bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return bytes;
  }

 private:
  int pipe_ = -1;
};

// Compresses two parts such that the first can be decompressed without a byte of the second.
std::pair<std::string, std::string> gzip_parts(std::string first, std::string second) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  const auto compressed = [&](std::string& part, int flush) {
    std::string out(1024, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(part.data());
    stream.avail_in = static_cast<uInt>(part.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, flush);
    out.resize(out.size() - stream.avail_out);
    return out;
  };
  std::string start = compressed(first, Z_FULL_FLUSH);
  std::string end = compressed(second, Z_FINISH);
  deflateEnd(&stream);
  return {std::move(start), std::move(end)};
}

// Guarantee: no byte after the header line is read from a plain file, so no part of a record is
// read. From a compressed file no more is read than is needed to decompress that line.
TEST(HeaderLine, NoByteAfterItIsTakenFromTheFile) {
  const TemporaryFolder folder;
  const FileOfOneReader plain(folder.path_of("t.csv"), "a,b\n1,2\n3,4\n");
  EXPECT_EQ(read_header_line(folder.path_of("t.csv")), (Names{"a", "b"}));
  EXPECT_EQ(plain.rest(), "1,2\n3,4\n");

  const auto [header, rows] = gzip_parts("a,b\n", "1,2\n3,4\n");
  const FileOfOneReader compressed(folder.path_of("t.csv.gz"), header + rows);
  EXPECT_EQ(read_header_line(folder.path_of("t.csv.gz")), (Names{"a", "b"}));
  EXPECT_TRUE(compressed.rest().ends_with(rows));
}

TEST(HeaderLine, MustBeUtf8) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv",
                                        "gr\xc3\xb6\xc3\x9f"
                                        "e,gr\xf6\xdf"
                                        "e\n1,2\n");
  EXPECT_EQ(error_text([&] { read_header_line(path); }, path),
            "error[DP326] t.csv:1: the name of column 2 is not UTF-8 text. Save the table as CSV "
            "in UTF-8.");
}

TEST(Utf8, IsToldFromOtherBytes) {
  for (const char* text : {"", "abc", "\xc3\xb6", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                           "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\xf6", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xe2\x82",
                           "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\x80", "\xc3\xc3"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace dpvi
