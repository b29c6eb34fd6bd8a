#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <dpvi/ledger/ledger.hpp>
#include <dpvi/ledger/ledger_summary.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

// Pricing takes a hundred times as long as reading, so one content of 16 is priced.
void show(const LedgerState& state, std::string_view content) {
  constexpr std::size_t kShare = 16;
  if (std::hash<std::string_view>()(content) % kShare != 0) return;
  summarise(state);
  ledger_json(state);
  ledger_dp_event(state);
  ledger_differences(state, {});
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

// Any bytes in place of the SQLite file.
bool read_ledger_file(std::string_view content) {
  static const TemporaryFolder kFolder;
  const std::string path = kFolder.write("a.ledger", content);
  const bool accepted = allow_refusal([&] { show(Ledger::read(path), content); });
  allow_refusal([&] { const Ledger opened(path); });
  return accepted;
}

// Lines "kind body" of a ledger whose forger has computed all hashes anew.
bool read_ledger_lines(std::string_view content) {
  std::vector<LedgerLine> lines;
  for (const std::string_view text : lines_in(content)) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    LedgerLine line{static_cast<std::int64_t>(lines.size()) + 1,
                    "2026-11-18T00:00:00Z",
                    std::string(text.substr(0, blank)),
                    std::string(text.substr(std::min(blank + 1, text.size()))),
                    {}};
    line.hash = hash_of(line, lines.empty() ? "" : lines.back().hash);
    lines.push_back(std::move(line));
  }
  return allow_refusal([&] { show(replay(std::move(lines), "a.ledger"), content); });
}

}  // namespace dpvi
