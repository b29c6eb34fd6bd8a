#pragma once

#include <string>
#include <vector>

#include <dpvi/report/bundle_verification.hpp>

namespace dpvi {

// What a ledger says about a bundle.
struct CountedBundle {
  std::string text;                      // one phrase
  std::vector<std::string> differences;  // one sentence each
};

// Looks for the entry that a bundle names. Reads the ledger without changing it.
CountedBundle find_in_ledger(const BundleVerification& bundle, const std::string& ledger_file);

}  // namespace dpvi
