#include <dpvi/stan/syntax/finding.hpp>

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMaxShownLine = 160;

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

// The part of the line around the position; control characters are replaced by '?'.
std::string source_excerpt(const Finding& finding, const SourceText& source) {
  const std::string_view line = source.line(finding.spot.line);
  if (finding.spot.column == 0 || line.empty()) return {};
  const std::size_t caret = std::min<std::size_t>(finding.spot.column - 1, line.size());
  const std::size_t begin = caret > kMaxShownLine / 2 ? caret - kMaxShownLine / 2 : 0;
  std::string shown(line.substr(begin, kMaxShownLine));
  for (char& c : shown) {
    if (c == '\t') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return fmt::format("\n  {}\n  {:>{}}", shown, '^', caret - begin + 1);
}

}  // namespace

void Findings::error(const ErrorCode& code, Spot spot, std::string message, std::string hint) {
  add({Severity::error, code, spot, std::move(message), std::move(hint)});
}

void Findings::warning(const ErrorCode& code, Spot spot, std::string message, std::string hint) {
  add({Severity::warning, code, spot, std::move(message), std::move(hint)});
}

void Findings::add(Finding finding) {
  if (finding.severity == Severity::error) {
    if (full()) return;
    ++errors_;
  }
  list_.push_back(std::move(finding));
}

void Findings::sort_by_place() {
  const auto place = [](const Finding& f) { return std::tuple(f.spot.line, f.spot.column); };
  std::stable_sort(list_.begin(), list_.end(),
                   [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
}

std::string render(const Finding& finding, const SourceText& source) {
  std::string place = source.file_name() + ": ";
  if (finding.spot.line > 0) {
    place = fmt::format("{}:{}:{}: ", source.file_name(), finding.spot.line, finding.spot.column);
  }
  std::string text =
      fmt::format("{}[{}] {}{}", word(finding.severity), finding.code.id, place, finding.message);
  if (!finding.hint.empty()) text += " " + finding.hint;
  return text + source_excerpt(finding, source);
}

void throw_if_errors(const Findings& findings, const SourceText& source) {
  const Finding* first = nullptr;
  int others = -1;
  for (const Finding& finding : findings.list()) {
    if (finding.severity != Severity::error) continue;
    if (first == nullptr) first = &finding;
    ++others;
  }
  if (first == nullptr) return;
  std::string hint = first->hint;
  if (others > 0) hint += fmt::format("{}({} more)", hint.empty() ? "" : " ", others);
  throw InputError(first->code, first->message, hint,
                   {source.file_name(), static_cast<int>(first->spot.line),
                    static_cast<int>(first->spot.column)});
}

}  // namespace dpvi
