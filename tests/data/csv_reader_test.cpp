#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>
#include <string>
#include <vector>

#include <dpvi/data/csv_reader.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using namespace std::string_literals;

Rows rows_of(const std::string& path) {
  CsvReader csv(path);
  Rows rows = {csv.header()};
  while (csv.next_row()) rows.emplace_back(csv.cells().begin(), csv.cells().end());
  return rows;
}

class CsvReaderTest : public testing::Test {
 protected:
  Rows read(std::string_view content) { return rows_of(folder_.write("t.csv", content)); }

  std::string refusal(std::string_view content) {
    const std::string path = folder_.write("t.csv", content);
    return error_text([&] { rows_of(path); }, path);
  }

  TemporaryFolder folder_;
};

TEST_F(CsvReaderTest, EveryLineEndIsUnderstood) {
  const Rows expected = {{"a", "b"}, {"1", "2"}, {"3", "4"}};
  EXPECT_EQ(read("a,b\n1,2\n3,4\n"), expected);
  EXPECT_EQ(read("a,b\n1,2\n3,4"), expected);
  EXPECT_EQ(read("a,b\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(read("a,b\r1,2\r3,4\r"), expected);
}

TEST_F(CsvReaderTest, ByteOrderMarkIsNoPartOfTheFirstName) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a,b\n1,2\n"),
            (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST_F(CsvReaderTest, QuotedCellsMayHoldCommasQuotesAndLineEnds) {
  EXPECT_EQ(read("a,\"b\"\"c\"\n\"1,\r\n2\",\"\"\"\"\n"), (Rows{{"a", "b\"c"}, {"1,\r\n2", "\""}}));
}

TEST_F(CsvReaderTest, HeaderAloneIsATableWithoutRows) {
  EXPECT_EQ(read("a,b\n"), (Rows{{"a", "b"}}));
  EXPECT_EQ(read("a,b"), (Rows{{"a", "b"}}));
}

TEST_F(CsvReaderTest, EmptyCellsAreCells) {
  EXPECT_EQ(read("a,b\n,\n"), (Rows{{"a", "b"}, {"", ""}}));
  EXPECT_EQ(read("a\n\n1\n"), (Rows{{"a"}, {""}, {"1"}}));
}

TEST_F(CsvReaderTest, BlankLinesAreAllowedAtTheEndOnly) {
  EXPECT_EQ(read("a,b\n1,2\n\n\r\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(refusal("a,b\n\n1,2\n"),
            "error[DP322] t.csv:2: the row has 0 cells; the header has 2. Give every row as many "
            "cells as the header has names; cells with commas need quotes.");
}

TEST_F(CsvReaderTest, RaggedRowIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("a,b\n1,2\n\"x\ny\",3\nsecret\n"),
            "error[DP322] t.csv:5: the row has 1 cells; the header has 2. Give every row as many "
            "cells as the header has names; cells with commas need quotes.");
  EXPECT_NE(refusal("a,b\n1,2,3\n").find("t.csv:2: the row has 3 cells"), std::string::npos);
}

TEST_F(CsvReaderTest, BadQuotingIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("a,b\n1,x\"y\n"),
            "error[DP323] t.csv:2: a quote is inside a cell that does not start with one. "
            "Put the whole cell in quotes and double the quotes inside it.");
  EXPECT_EQ(refusal("a,b\n1,2\n\"x\"y,2\n"),
            "error[DP323] t.csv:3: text follows a closing quote. Put the whole cell in "
            "quotes and double the quotes inside it.");
  EXPECT_EQ(refusal("a,b\n1,2\n3,\"x\n4,5\n"),
            "error[DP323] t.csv:3: a quote that opens here is never closed. Close it, or double it "
            "if it is meant as text.");
}

TEST_F(CsvReaderTest, DuplicateHeaderNameIsRefused) {
  EXPECT_EQ(
      refusal("a,b,a\n1,2,3\n"),
      "error[DP324] t.csv:1: columns 1 and 3 have the same name. The first line must hold "
      "different column names, each with a letter. It is not shown because it may be a record.");
}

TEST_F(CsvReaderTest, FileWithoutHeaderIsRefused) {
  for (const char* content : {"", "\n", "\n1,2\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(refusal(content),
              "error[DP320] t.csv:1: the file has no header line. The first line must name the "
              "columns.");
  }
}

TEST_F(CsvReaderTest, BinaryFilesAreRefusedByWhatTheyAre) {
  EXPECT_EQ(
      refusal("PK\x03\x04rest"),
      "error[DP320] t.csv: this is a zip archive or an Excel workbook, not a CSV file. Save "
      "the table as CSV in UTF-8 (plain, .gz or .zst), or read it as a data frame in Python or R.");
  EXPECT_NE(refusal("\xff\xfe"s + "a\0,\0"s).find("UTF-16 text"), std::string::npos);
  EXPECT_NE(refusal("PAR1rest").find("a Parquet file"), std::string::npos);
  EXPECT_NE(refusal("<stata_dta><header>").find("a Stata file (.dta)"), std::string::npos);
  EXPECT_NE(refusal("$FL2@(#) SPSS\0"s).find("an SPSS file (.sav)"), std::string::npos);
  EXPECT_NE(refusal("HEADER RECORD*******LIBRARY").find("(.xpt)"), std::string::npos);
  EXPECT_NE(refusal(std::string(12, '\0') + "\xc2\xea\x81\x60").find("(.sas7bdat)"),
            std::string::npos);
  EXPECT_EQ(refusal("a,\0b\n1,2\n"s),
            "error[DP320] t.csv:1: the header contains a NUL byte; this is a binary file or "
            "UTF-16 text. Save the table as CSV in UTF-8.");
  EXPECT_NE(refusal("a,\"\0\"\n1,2\n"s).find("NUL byte"), std::string::npos);
}

// Cell contents must not change observable behaviour.
TEST_F(CsvReaderTest, NulBytesInRowsAreContent) {
  EXPECT_EQ(read("a,b\n1,\0\n\"\0\",2\0\n"s), (Rows{{"a", "b"}, {"1", "\0"s}, {"\0"s, "2\0"s}}));
}

TEST_F(CsvReaderTest, MissingFileIsNamed) {
  const std::string path = folder_.path_of("none.csv");
  EXPECT_EQ(error_text<MissingInputError>([&] { CsvReader csv(path); }, path),
            "error[DP301] 'none.csv' cannot be read: No such file or directory. Check the path and "
            "its permissions.");
  const std::string folder = folder_.path_of("");
  EXPECT_NE(error_text<MissingInputError>([&] { CsvReader csv(folder); }).find("it is a folder"),
            std::string::npos);
}

// Guarantee: no message quotes the file, neither a cell nor the first line.
TEST_F(CsvReaderTest, MessagesNeverShowACell) {
  for (const char* content : {"a,b\nsecret\n", "a,b\nsecret,\"x\n", "a,b\nsecret,x\"y\n",
                              "a,b\n\"secret\"s,1\n", "a,b\nsecret,1,2\n"}) {
    const std::string message = refusal(content);
    EXPECT_FALSE(message.empty());
    EXPECT_EQ(message.find("secret"), std::string::npos) << message;
  }
}

std::string gzip(const std::string& plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 1));
  return out;
}

TEST_F(CsvReaderTest, CompressedFilesReadLikePlainOnes) {
  std::string plain = "a,b\n";
  for (int i = 0; i < 20000; ++i) plain += std::to_string(i) + ",\"x\"\"\n\"\n";
  const Rows expected = read(plain);
  EXPECT_EQ(expected.size(), 20001u);
  EXPECT_EQ(read(gzip(plain)), expected);
  EXPECT_EQ(read(zstd(plain)), expected);
  const std::size_t half = plain.size() / 2;
  EXPECT_EQ(read(gzip(plain.substr(0, half)) + gzip(plain.substr(half))), expected);
  EXPECT_EQ(read(zstd(plain.substr(0, half)) + zstd(plain.substr(half))), expected);
}

TEST_F(CsvReaderTest, DamagedCompressionIsRefused) {
  const std::string plain = "a,b\n" + std::string(1000, '1') + ",2\n";
  for (const std::string& whole : {gzip(plain), zstd(plain)}) {
    EXPECT_NE(refusal(whole.substr(0, whole.size() - 5)).find("error[DP325] t.csv: "),
              std::string::npos);
    std::string damaged = whole;
    for (std::size_t i = 12; i < 20; ++i) damaged[i] = static_cast<char>(~damaged[i]);
    EXPECT_FALSE(refusal(damaged).empty());
  }
}

// Quotes cells wherever quotes are needed and, at random, where they are not.
std::string write_csv(const Rows& rows, std::mt19937_64& random) {
  const std::vector<std::string> line_ends = {"\n", "\r\n", "\r"};
  const std::string& line_end = line_ends[random() % line_ends.size()];
  std::string text = random() % 4 == 0 ? "\xEF\xBB\xBF" : "";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& cell = rows[r][c];
      const bool blank_line = rows[r].size() == 1 && cell.empty();
      const bool needed = blank_line || cell.find_first_of(",\"\r\n") != std::string::npos;
      std::string written = cell;
      if (needed || random() % 3 == 0) {
        written = "\"";
        for (const char byte : cell) written += byte == '"' ? "\"\"" : std::string(1, byte);
        written += '"';
      }
      text += (c > 0 ? "," : "") + written;
    }
    if (r + 1 < rows.size() || random() % 2 == 0) text += line_end;
  }
  return text;
}

TEST_F(CsvReaderTest, RandomTablesReadBackEqual) {
  std::mt19937_64 random(20240607);
  const std::string alphabet = "ab1,\"\r\n \t\xc3\xa4\xff;.";
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t columns = 1 + random() % 5;
    Rows rows(1 + random() % 8, std::vector<std::string>(columns));
    for (std::size_t c = 0; c < columns; ++c) rows[0][c] = "name" + std::to_string(c);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      for (std::string& cell : rows[r]) {
        for (std::size_t n = random() % 6; n > 0; --n) cell += alphabet[random() % alphabet.size()];
      }
    }
    EXPECT_EQ(read(write_csv(rows, random)), rows) << "trial " << trial;
  }
}

TEST_F(CsvReaderTest, CellsOfAnyLengthEndWhereTheyEnd) {
  for (std::size_t length = 0; length <= 50; ++length) {
    // Bytes adjacent to the cell terminators, and bytes that are negative as signed char.
    std::string cell;
    for (std::size_t i = 0; i < length; ++i)
      cell += "+-!#\x0b\x0c\x0e\x01\xac\x8a\x8d\xa2\x80z"[i % 14];
    for (std::size_t behind = 0; behind <= 20; ++behind) {
      const std::string last(behind, 'b');
      const Rows expected = {{"a", "b"}, {cell, last}, {last, cell}};
      for (const std::string end : {"\n", "\r", "\r\n"}) {
        EXPECT_EQ(read("a,b" + end + cell + "," + last + end + last + "," + cell), expected);
      }
    }
    EXPECT_NE(refusal("a,b\n1" + cell + "\"" + cell + ",2\n").find("quote is inside a cell"),
              std::string::npos);
    EXPECT_EQ(read("a,b\n1" + cell + '\0' + cell + ",2\n"),
              (Rows{{"a", "b"}, {"1" + cell + '\0' + cell, "2"}}));
  }
}

TEST_F(CsvReaderTest, RowsLongerThanTheBufferAreWhole) {
  const std::string long_cell(3'000'000, 'x');
  EXPECT_EQ(read("a,b\n\"" + long_cell + "\"\"\",2\n3,4\n"),
            (Rows{{"a", "b"}, {long_cell + "\"", "2"}, {"3", "4"}}));
}

// Guarantee: no message quotes the file, neither a cell nor the first line.
TEST_F(CsvReaderTest, AFirstLineOfValuesIsRefusedByItsPositionAlone) {
  struct Line {
    const char* text;
    const char* says;
  };
  for (const Line& line : std::initializer_list<Line>{
           {"Smith,17,F\n", "column 2 is a value"},
           {"Smith,\"17\",F\n", "column 2 is a value"},
           {"Smith, -3.5 ,F\n", "column 2 is a value"},
           {"Smith,1e5\n", "column 2 is a value"},
           {"Smith,NA\n", "column 2 is a value"},
           {"Smith,nan\n", "column 2 is a value"},
           {"Smith,TRUE\n", "column 2 is a value"},
           {"Smith,2019-01-31\n", "column 2 is a value"},
           {"Smith,31.01.2019\n", "column 2 is a value"},
           {"Smith,1/31/2019 12:30\n", "column 2 is a value"},
           {"Smith,12-Jan-2020\n", "column 2 is a value"},
           {"Smith,\"Jan 5, 2020\"\n", "column 2 is a value"},
           {"Smith,2020-01-31T12:00:00Z\n", "column 2 is a value"},
           {"Smith,12:30\n", "column 2 is a value"},
           {"Smith,<5\n", "column 2 is a value"},
           {"Smith,5%\n", "column 2 is a value"},
           {"Smith,\"1.234,5\"\n", "column 2 is a value"},
           {"Smith,smith@example.org\n", "column 2 is a value"},
           {"Smith,123e4567-e89b-12d3-a456-426614174000\n", "column 2 is a value"},
           {"Smith,.\n", "column 2 is a value"},
           {"17\n", "column 1 is a value"},
           {"Smith,,F\n", "column 2 is empty"},
           {"Smith, ,F\n", "column 2 is empty"},
           {"Smith,yes,no,yes\n", "columns 2 and 4 have the same name"}}) {
    const std::string refused = refusal(line.text + std::string("Jones,18,M,no\n"));
    EXPECT_NE(refused.find(line.says), std::string::npos) << line.text << refused;
    EXPECT_NE(refused.find("DP324"), std::string::npos) << refused;
    for (const char* text : {"Smith", "17", "2019", "2020", "yes", "example", "NA"}) {
      EXPECT_EQ(refused.find(text), std::string::npos) << refused;
    }
  }
  const std::string endless(400, 'x');
  EXPECT_NE(refusal("a," + endless + "\n").find("column 2 is a value"), std::string::npos);
}

TEST_F(CsvReaderTest, NamesThatTablesHaveAreNames) {
  for (const char* header :
       {"x.1,x.2,y\n", "\"\",a,b\n", ",a,b\n", "x[1],x[2]\n", "y2019,age_5,2h_glucose,25OHD\n",
        "may.1,may.2,t.1,z.1\n", "Na,K,Cl\n", "e5,E10,inf_count\n", "A1C,1st_visit,5FU\n",
        "Wie oft?,\xc3\x84lter\n", "T,F,N\n", "jan.1.2,dec\n", "%fat,#visits\n"}) {
    EXPECT_NO_THROW(read(header)) << header;
  }
}

}  // namespace
}  // namespace dpvi
