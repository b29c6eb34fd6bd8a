#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dpvi {

// One line of a ledger. Its hash covers its content and the hash of the line before it.
struct LedgerLine {
  std::int64_t position = 0;  // counts from 1; never reused
  std::string time;           // UTC
  std::string kind;  // init, data, reserve, void, start, save, resume, publish, release, forgive
  std::string body;  // JSON
  std::string hash;  // SHA-256, hexadecimal
};

// The last line of a ledger at some moment. A later state of the same ledger contains that line.
struct LedgerHead {
  std::string ledger;  // identifier of the ledger
  std::int64_t position = 0;
  std::string hash;

  bool operator==(const LedgerHead&) const = default;
};

// The hash that a line must have after a line with hash `previous` (empty for the first).
std::string hash_of(const LedgerLine& line, const std::string& previous);

// One sentence for each difference between the lines and an untouched chain.
std::vector<std::string> chain_damage(std::span<const LedgerLine> lines);

}  // namespace dpvi
