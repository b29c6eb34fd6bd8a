#include <dpvi/ledger/ledger_chain.hpp>

#include <fmt/format.h>

#include <dpvi/base/sha256.hpp>

namespace dpvi {

// Lengths make the text of a line unambiguous.
std::string hash_of(const LedgerLine& line, const std::string& previous) {
  return sha256_hex(fmt::format("{}\n{}\n{}:{}\n{}:{}\n{}:{}", previous, line.position,
                                line.time.size(), line.time, line.kind.size(), line.kind,
                                line.body.size(), line.body));
}

std::vector<std::string> chain_damage(std::span<const LedgerLine> lines) {
  std::vector<std::string> damage;
  std::string previous;
  std::int64_t expected = 1;
  for (const LedgerLine& line : lines) {
    if (line.position != expected) {
      damage.push_back(
          fmt::format("line {} is missing; line {} follows.", expected, line.position));
      expected = line.position;
    }
    if (hash_of(line, previous) != line.hash) {
      damage.push_back(
          fmt::format("line {} was altered, or does not follow the line before it.", expected));
    }
    previous = line.hash;
    ++expected;
  }
  return damage;
}

}  // namespace dpvi
