#include <dpvi/report/stan_csv_reader.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>

#include <dpvi/report/bundle_damage.hpp>

namespace dpvi {
namespace {

// Stan's own columns, which come before the variables.
constexpr std::string_view kVariationalColumns[] = {"lp__", "log_p__", "log_g__"};
constexpr std::string_view kSampleColumns[] = {"lp__",        "accept_stat__", "stepsize__",
                                               "treedepth__", "n_leapfrog__",  "divergent__",
                                               "energy__"};

std::span<const std::string_view> own_columns(const StanDraws& draws) {
  if (draws.chains > 0) return kSampleColumns;
  return kVariationalColumns;
}

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

// Returns the cells after the first `own`.
std::vector<double> parse_row(const Line& line, std::size_t width, std::size_t own) {
  const std::vector<std::string_view> found = cells(line.text);
  if (found.size() != width) {
    refuse_damaged(fmt::format("the row has {} cells, the header {} names.", found.size(), width),
                   line.place);
  }
  std::vector<double> row;
  for (std::size_t i = 0; i < width; ++i) {
    const double value = parse_cell(found[i], line);
    if (i >= own) row.push_back(value);
  }
  return row;
}

std::vector<std::string> parse_header(const Line& line, std::span<const std::string_view> own) {
  const std::vector<std::string_view> names = cells(line.text);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i < names.size() && names[i] == own[i]) continue;
    refuse_damaged(fmt::format("the header does not start with {}.", fmt::join(own, ",")),
                   line.place);
  }
  return {names.begin() + static_cast<std::ptrdiff_t>(own.size()), names.end()};
}

// The number of chains, if this is the line that has it.
std::optional<std::size_t> chain_count(const Line& line) {
  constexpr std::string_view kKey = "# dp_chains = ";
  if (!line.text.starts_with(kKey)) return std::nullopt;
  const std::string_view digits = line.text.substr(kKey.size());
  std::size_t count = 0;
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (problem != std::errc() || stop != digits.data() + digits.size() || count == 0) {
    refuse_damaged("dp_chains is not a positive integer.", line.place);
  }
  return count;
}

// Reads up to the header and returns the value of dp_private.
bool parse_comments(LineReader& lines, StanDraws& result, const std::string& file) {
  std::optional<bool> is_private;
  while (const auto line = lines.next()) {
    if (line->text == "# dp_private = true") is_private = true;
    if (line->text == "# dp_private = false") is_private = false;
    if (const auto count = chain_count(*line)) result.chains = *count;
    if (line->text.starts_with('#')) continue;
    if (!is_private) {
      refuse_damaged(
          "there is no line 'dp_private' before the header; dpvi did not write this file.",
          line->place);
    }
    result.columns = parse_header(*line, own_columns(result));
    return *is_private;
  }
  refuse_damaged("there is no header.", {file, 0, 0});
}

}  // namespace

StanDraws parse_stan_csv(std::string_view text, const std::string& file) {
  StanDraws result;
  LineReader lines(text, file);
  result.is_private = parse_comments(lines, result, file);
  const std::size_t own = own_columns(result).size();
  const std::size_t width = result.columns.size() + own;
  bool have_location = result.chains > 0;  // chains have no such row
  while (const auto line = lines.next()) {
    if (line->text.starts_with('#')) continue;
    std::vector<double> row = parse_row(*line, width, own);
    if (have_location) {
      result.draws.push_back(std::move(row));
    } else {
      result.at_location = std::move(row);
      have_location = true;
    }
  }
  if (result.draws.empty()) refuse_damaged("there are no draws.", {file, 0, 0});
  if (result.chains > 0 && result.draws.size() % result.chains != 0) {
    refuse_damaged(
        fmt::format("{} draws are not {} equally long chains.", result.draws.size(), result.chains),
        {file, 0, 0});
  }
  return result;
}

}  // namespace dpvi
