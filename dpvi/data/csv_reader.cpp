#include <dpvi/data/csv_reader.hpp>

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/header_shape.hpp>
#include <dpvi/data/store_layout.hpp>
#include <dpvi/data/utf8.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kFirstBuffer = 1 << 16;
// Far above any plausible row. Limits the memory that an unclosed quote can use.
constexpr std::size_t kLongestRow = 1 << 26;
// The header is read byte by byte.
constexpr std::size_t kLongestHeader = 1 << 24;

// Bytes that end an unquoted cell or are invalid in it.
constexpr char kEnds[] = {',', '\n', '\r', '"'};

constexpr std::array<bool, 256> kEndsCell = [] {
  std::array<bool, 256> table{};
  for (const char byte : kEnds) table[static_cast<unsigned char>(byte)] = true;
  return table;
}();

// Returns the position of the first such byte from `at` on, or `filled`. Cells are short and vary
// in length; comparing sixteen bytes at once avoids a loop with an unpredictable end.
std::size_t end_of_cell(const char* bytes, std::size_t at, std::size_t filled) {
  while (filled - at >= sizeof(__m128i)) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    __m128i ends = _mm_setzero_si128();
    for (const char byte : kEnds) {
      ends = _mm_or_si128(ends, _mm_cmpeq_epi8(block, _mm_set1_epi8(byte)));
    }
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(ends));
    if (mask != 0) return at + static_cast<std::size_t>(std::countr_zero(mask));
    at += sizeof(__m128i);
  }
  while (at < filled && !kEndsCell[static_cast<unsigned char>(bytes[at])]) ++at;
  return at;
}

void refuse_other_formats(std::string_view start, const std::string& path) {
  struct Format {
    std::string_view magic;
    std::string_view what;
  };
  using namespace std::string_view_literals;
  constexpr Format kFormats[] = {
      {"<stata_dta>"sv, "a Stata file (.dta)"},
      {"\x72\x02"sv, "a Stata file (.dta)"},
      {"\x73\x02"sv, "a Stata file (.dta)"},
      {"$FL2"sv, "an SPSS file (.sav)"},
      {"$FL3"sv, "an SPSS file (.zsav)"},
      {"HEADER RECORD*******"sv, "a SAS transport file (.xpt)"},
      {"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60"sv, "a SAS data set (.sas7bdat)"},
      {"RDX2\n"sv, "an R file (.RData)"},
      {"RDX3\n"sv, "an R file (.RData)"},
      {"ARROW1\0\0"sv, "an Arrow or Feather file"},
      {"PK\x03\x04"sv, "a zip archive or an Excel workbook"},
      {"\xd0\xcf\x11\xe0"sv, "an old Excel workbook"},
      {"PAR1"sv, "a Parquet file"},
      {"\xff\xfe"sv, "UTF-16 text"},
      {"\xfe\xff"sv, "UTF-16 text"},
      {StoreLayout::kMagic.substr(0, 5),
       "a record store of 'dpvi pack', which only 'dpvi fit' reads"},
      {"BZh"sv, "bzip2 data"},
      {"\xfd"
       "7zXZ"sv,
       "xz data"},
  };
  for (const Format& format : kFormats) {
    if (!start.starts_with(format.magic)) continue;
    throw InputError(
        kNotCsv, fmt::format("this is {}, not a CSV file.", format.what),
        "Save the table as CSV in UTF-8 (plain, .gz or .zst), or read it as a data frame in "
        "Python or R.",
        {path, 0, 0});
  }
}

// The message shows nothing of the line: in a table without a header it is a record.
[[noreturn]] void refuse_header(const HeaderFault& fault, const std::string& path) {
  std::string what;
  if (fault.kind == HeaderFault::Kind::repeated) {
    what = fmt::format("columns {} and {} have the same name.", fault.earlier, fault.column);
  } else {
    what =
        fmt::format("the first line looks like data, not like names: column {} {}.", fault.column,
                    fault.kind == HeaderFault::Kind::no_name ? "is empty" : "is a value");
  }
  throw InputError(kBadHeader, what,
                   "The first line must hold different column names, each with a letter. It is not "
                   "shown because it may be a record.",
                   {path, 1, 0});
}

}  // namespace

CsvReader::CsvReader(const std::string& path) : CsvReader(path, open_bytes(path, ReadAhead::no)) {}

CsvReader::CsvReader(const std::string& path, std::unique_ptr<ByteSource> source)
    : path_(path), source_(std::move(source)), buffer_(kFirstBuffer) {
  read_header();
}

void CsvReader::read_header() {
  refill();
  const std::string_view start(buffer_.data(), filled_);
  refuse_other_formats(start, path_);
  if (start.starts_with("\xEF\xBB\xBF")) next_ = begin_ = 3;
  if (!read_row() || row_is_blank()) {
    throw InputError(kNotCsv, "the file has no header line.",
                     "The first line must name the columns.", {path_, 1, 0});
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    // NUL bytes in data rows are allowed: cell contents must not cause an error.
    if (cells_[i].find('\0') != std::string_view::npos) {
      throw InputError(kNotCsv,
                       "the header contains a NUL byte; this is a binary file or UTF-16 text.",
                       "Save the table as CSV in UTF-8.", {path_, 1, 0});
    }
    if (!is_utf8(cells_[i])) {
      throw InputError(kHeaderNotUtf8,
                       fmt::format("the name of column {} is not UTF-8 text.", i + 1),
                       "Save the table as CSV in UTF-8.", {path_, 1, 0});
    }
  }
  if (const auto fault = find_header_fault(cells_)) refuse_header(*fault, path_);
  header_.assign(cells_.begin(), cells_.end());
}

// Stops after the first line end outside quotes, so that nothing after the header is read.
std::size_t CsvReader::read_header_bytes(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size && source_->read(out + done, 1) == 1) {
    const char byte = out[done++];
    if (byte == '"') in_header_quotes_ = !in_header_quotes_;
    if (!in_header_quotes_ && (byte == '\n' || byte == '\r')) break;
  }
  return done;
}

void CsvReader::leave_header() {
  in_header_ = false;
  source_->allow_read_ahead();
  if (!after_return_) return;
  begin_ = next_;
  if (refill() && buffer_[0] == '\n') next_ = 1;
}

bool CsvReader::next_row() {
  if (in_header_) leave_header();
  std::size_t blank_line = 0;
  while (read_row()) {
    if (row_is_blank() && header_.size() > 1) {
      // A blank line is harmless at the end of the file and a ragged row anywhere else.
      if (blank_line == 0) blank_line = line_;
      continue;
    }
    if (blank_line != 0 || cells_.size() != header_.size()) {
      throw InputError(kRaggedRow,
                       fmt::format("the row has {} cells; the header has {}.",
                                   blank_line != 0 ? 0 : cells_.size(), header_.size()),
                       "Give every row as many cells as the header has names; cells with commas "
                       "need quotes.",
                       {path_, static_cast<int>(blank_line != 0 ? blank_line : line_), 0});
    }
    return true;
  }
  return false;
}

bool CsvReader::row_is_blank() const { return cells_.size() == 1 && cells_[0].empty(); }

// Splits the next row without checking its number of cells. Returns false at the end of the file.
bool CsvReader::read_row() {
  begin_ = next_;
  line_ = next_line_;
  if (begin_ == filled_ && !refill()) return false;
  while (!split_row()) refill();
  for (const std::size_t cell : with_doubled_quotes_) merge_doubled_quotes(cells_[cell]);
  return true;
}

// Drops rows already read to make room, then reads more bytes. Returns false at the end of the
// source.
bool CsvReader::refill() {
  if (at_end_) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
  filled_ -= begin_;
  next_ = begin_ = 0;
  if (filled_ == buffer_.size()) {
    const std::size_t longest = in_header_ ? kLongestHeader : kLongestRow;
    if (buffer_.size() >= longest) {
      throw InputError(kNotCsv,
                       fmt::format("the row that starts here is longer than {} bytes.", longest),
                       "Check for a quote that is not closed.", place());
    }
    buffer_.resize(buffer_.size() * 2);
  }
  char* const room = buffer_.data() + filled_;
  const std::size_t most = buffer_.size() - filled_;
  const std::size_t more = in_header_ ? read_header_bytes(room, most) : source_->read(room, most);
  filled_ += more;
  at_end_ = more == 0;
  return !at_end_;
}

// Finds the cells of the row at begin_. Returns false if the buffer ends before the row; the row is
// then split again from its start with more bytes.
bool CsvReader::split_row() {
  cells_.clear();
  with_doubled_quotes_.clear();
  const char* const bytes = buffer_.data();
  const std::size_t filled = filled_;
  std::size_t at = begin_;
  std::size_t newlines = 0;
  while (true) {
    if (at < filled && bytes[at] == '"') {
      if (!split_quoted(at, newlines)) return false;
    } else {
      const std::size_t first = at;
      at = end_of_cell(bytes, at, filled);
      cells_.emplace_back(bytes + first, at - first);
    }
    if (at < filled && bytes[at] == ',') {
      ++at;
      continue;
    }
    if (at < filled) return end_row(at, newlines);
    if (!at_end_) return false;
    next_ = at;
    next_line_ = line_ + newlines;
    return true;
  }
}

// Handles a byte that ends the row or is invalid there.
bool CsvReader::end_row(std::size_t at, std::size_t newlines) {
  const char stop = buffer_[at];
  if (stop != '\n' && stop != '\r') {
    throw InputError(kBadQuoting,
                     stop == '"' ? "a quote is inside a cell that does not start with one."
                                 : "text follows a closing quote.",
                     "Put the whole cell in quotes and double the quotes inside it.",
                     place(newlines));
  }
  after_return_ = stop == '\r' && at + 1 == filled_ && !at_end_;
  if (after_return_ && !in_header_) return false;
  const bool pair = stop == '\r' && at + 1 < filled_ && buffer_[at + 1] == '\n';
  next_ = at + (pair ? 2 : 1);
  next_line_ = line_ + newlines + 1;
  return true;
}

// Splits one quoted cell in the same way. Leaves `at` after the closing quote.
bool CsvReader::split_quoted(std::size_t& at, std::size_t& newlines) {
  const std::size_t first = at + 1;
  bool doubled = false;
  const std::size_t newlines_before = newlines;
  for (++at; at < filled_; ++at) {
    const char byte = buffer_[at];
    if (byte == '\n') ++newlines;
    if (byte != '"') continue;
    if (at + 1 == filled_ && !at_end_) return false;
    if (at + 1 < filled_ && buffer_[at + 1] == '"') {
      doubled = true;
      ++at;
      continue;
    }
    if (doubled) with_doubled_quotes_.push_back(cells_.size());
    cells_.emplace_back(buffer_.data() + first, at++ - first);
    return true;
  }
  if (at_end_) {
    throw InputError(kBadQuoting, "a quote that opens here is never closed.",
                     "Close it, or double it if it is meant as text.", place(newlines_before));
  }
  return false;
}

// Works in place: the row is complete and will not be split again.
void CsvReader::merge_doubled_quotes(std::string_view& cell) {
  char* const first = buffer_.data() + (cell.data() - buffer_.data());
  char* out = first;
  for (std::size_t at = 0; at < cell.size(); ++at) {
    *out++ = first[at];
    if (first[at] == '"') ++at;
  }
  cell = {first, static_cast<std::size_t>(out - first)};
}

SourcePlace CsvReader::place(std::size_t newlines) const {
  return {path_, static_cast<int>(line_ + newlines), 0};
}

}  // namespace dpvi
