#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

struct VerifiedFile {
  std::string name;
  bool ok = false;
};

// What a bundle proves about itself.
struct BundleVerification {
  bool has_manifest = false;  // bundles of version 0.2 and earlier have none
  std::string manifest_sha256;
  std::vector<VerifiedFile> files;
  bool is_private = false;
  std::optional<double> epsilon_claimed;     // by statement.json
  std::optional<double> epsilon_recomputed;  // from its event tree, by the same accountant
  std::optional<double> delta;
  std::string adjacency;
  std::optional<LedgerMark> ledger;
  std::vector<std::string> differences;  // one sentence each; empty if everything holds
};

// Compares every file with the manifest, the claims of all files with statement.json, and epsilon
// with what the event tree costs. Throws MissingInputError or InputError if there is no bundle to
// compare, or a file cannot be read.
//
// Guarantee: a claimed epsilon below the cost of the event tree is a difference.
BundleVerification verify_bundle(const std::filesystem::path& folder);

// Folders beside the bundle that writers of this user left when they were killed. The next writer
// in that place removes them.
std::vector<std::filesystem::path> leftovers_beside(const std::filesystem::path& folder);

// Throws InputError DP412 with the first difference.
void require_verified(const std::filesystem::path& folder, const BundleVerification& verification);

}  // namespace dpvi
