#include <dpvi/report/stan_csv_reader.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <optional>

#include <dpvi/report/bundle_damage.hpp>

namespace dpvi {
namespace {

constexpr std::string_view kOwnColumns[] = {"lp__", "log_p__", "log_g__"};
constexpr std::size_t kOwnCount = std::size(kOwnColumns);

struct Line {
  std::string_view text;
  SourcePlace place;
};

// Returns lines without their ends, and counts them.
class LineReader {
 public:
  LineReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::optional<Line> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    // A truncated file ends inside a line, whose last number may still look valid.
    if (end == std::string_view::npos) {
      refuse_damaged("the last line is incomplete; the file was truncated.", {file_, ++number_, 0});
    }
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return Line{line, {file_, ++number_, 0}};
  }

 private:
  std::string_view rest_;
  const std::string& file_;
  int number_ = 0;
};

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> result;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos;
       comma = line.find(',')) {
    result.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  result.push_back(line);
  return result;
}

double parse_cell(std::string_view cell, const Line& line) {
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [stop, problem] = std::from_chars(cell.data(), end, value);
  if (problem == std::errc() && stop == end) return value;
  SourcePlace place = line.place;
  place.column = static_cast<int>(cell.data() - line.text.data()) + 1;
  refuse_damaged(fmt::format("'{}' is not a number.", cell), place);
}

std::vector<double> parse_row(const Line& line, std::size_t width) {
  const std::vector<std::string_view> found = cells(line.text);
  if (found.size() != width) {
    refuse_damaged(fmt::format("the row has {} cells, the header {} names.", found.size(), width),
                   line.place);
  }
  std::vector<double> row;
  for (std::size_t i = 0; i < width; ++i) {
    const double value = parse_cell(found[i], line);
    if (i >= kOwnCount) row.push_back(value);
  }
  return row;
}

std::vector<std::string> parse_header(const Line& line) {
  const std::vector<std::string_view> names = cells(line.text);
  for (std::size_t i = 0; i < kOwnCount; ++i) {
    if (i < names.size() && names[i] == kOwnColumns[i]) continue;
    refuse_damaged("the header does not start with lp__,log_p__,log_g__.", line.place);
  }
  return {names.begin() + kOwnCount, names.end()};
}

// Reads up to the header and returns the value of dp_private.
bool parse_comments(LineReader& lines, StanDraws& result, const std::string& file) {
  std::optional<bool> is_private;
  while (const auto line = lines.next()) {
    if (line->text == "# dp_private = true") is_private = true;
    if (line->text == "# dp_private = false") is_private = false;
    if (line->text.starts_with('#')) continue;
    if (!is_private) {
      refuse_damaged(
          "there is no line 'dp_private' before the header; dpvi did not write this file.",
          line->place);
    }
    result.columns = parse_header(*line);
    return *is_private;
  }
  refuse_damaged("there is no header.", {file, 0, 0});
}

}  // namespace

StanDraws parse_stan_csv(std::string_view text, const std::string& file) {
  StanDraws result;
  LineReader lines(text, file);
  result.is_private = parse_comments(lines, result, file);
  const std::size_t width = result.columns.size() + kOwnCount;
  bool have_location = false;
  while (const auto line = lines.next()) {
    if (line->text.starts_with('#')) continue;
    std::vector<double> row = parse_row(*line, width);
    if (have_location) {
      result.draws.push_back(std::move(row));
    } else {
      result.at_location = std::move(row);
      have_location = true;
    }
  }
  if (result.draws.empty()) refuse_damaged("there are no draws.", {file, 0, 0});
  return result;
}

}  // namespace dpvi
