#include <dpvi/report/bundle_verification.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/base/working_folder.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/privacy/dp_event_reader.hpp>
#include <dpvi/report/derived_claims.hpp>
#include <dpvi/report/internal/json_file.hpp>
#include <dpvi/report/manifest.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/statement_facts.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

// Files that other verbs add to a bundle after the fit.
constexpr const char* kAddedLater[] = {"report.html"};

template <class Choices>
auto named_choice(const JsonFile& file, const char* pointer, const Choices& choices) {
  const std::string name = file.text(pointer);
  for (const auto choice : choices) {
    if (name == name_of(choice)) return choice;
  }
  file.refuse(pointer, "is not a known name");
}

// The text of a file, to look for claims in it.
bool contains_line(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

class Verifier {
 public:
  explicit Verifier(const fs::path& folder)
      : folder_(folder), statement_((folder / "statement.json").string()) {}

  BundleVerification verify() && {
    compare_files();
    found_.is_private = statement_.truth("/private");
    read_mark();
    if (found_.is_private) compare_claims();
    return std::move(found_);
  }

 private:
  void differ(std::string sentence) { found_.differences.push_back(std::move(sentence)); }

  std::string path_of(const std::string& name) const { return (folder_ / name).string(); }

  void compare_files() {
    const fs::path manifest = folder_ / kManifestName;
    found_.has_manifest = fs::exists(fs::symlink_status(manifest));
    if (!found_.has_manifest) {
      // Statements have this key since bundles have manifests.
      if (statement_.has("/ledger")) differ("manifest.json is missing.");
      return;
    }
    found_.manifest_sha256 = sha256_hex(read_bundle_file(manifest.string(), kLargestManifest));
    const std::map<std::string, std::string> hashes = parse_manifest(manifest.string());
    for (const auto& [name, hash] : hashes) compare_file(name, hash);
    const auto names = names_in_folder(folder_);
    if (!names) refuse_unreadable(folder_.string(), errno);
    for (const std::string& name : *names) {
      const bool known = hashes.contains(name) || name == kManifestName ||
                         std::ranges::find(kAddedLater, name) != std::end(kAddedLater);
      if (!known) differ(fmt::format("'{}' is not in the manifest.", name));
    }
  }

  void compare_file(const std::string& name, const std::string& hash) {
    const bool exists = fs::exists(fs::symlink_status(folder_ / name));
    if (!exists && std::ranges::find(kAddedLater, name) != std::end(kAddedLater)) return;
    const bool ok = exists && sha256_hex(read_bundle_file(path_of(name))) == hash;
    found_.files.push_back({name, ok});
    if (!exists) differ(fmt::format("{} is missing.", name));
    if (exists && !ok) differ(fmt::format("{} is not the file that the fit wrote.", name));
  }

  void read_mark() {
    if (!statement_.has("/ledger") || statement_.at("/ledger").is_null()) return;
    found_.ledger = LedgerMark{.ledger = statement_.text("/ledger/ledger"),
                               .entry = whole("/ledger/entry"),
                               .position = whole("/ledger/position"),
                               .head = statement_.text("/ledger/head")};
  }

  std::int64_t whole(const char* pointer) const {
    if (!statement_.at(pointer).is_number_integer()) statement_.refuse(pointer, "is not whole");
    return statement_.at(pointer).get<std::int64_t>();
  }

  void compare_claims() {
    found_.epsilon_claimed = statement_.number("/epsilon");
    found_.delta = statement_.number("/delta");
    if (!(*found_.delta >= 0 && *found_.delta < 1)) {
      statement_.refuse("/delta", "is not at least 0 and below 1");
    }
    const Adjacency adjacency = named_choice(statement_, "/adjacency", kAdjacencies);
    found_.adjacency = name_of(adjacency);
    const GaussianRun run = run_of_dp_event(statement_.at("/dp_event").dump());
    const ClaimBasis basis{named_choice(statement_, "/accountant", kAccountants), adjacency,
                           *found_.delta};
    RecomputedEpsilon again = recompute_epsilon("epsilon", *found_.epsilon_claimed, basis, run);
    found_.epsilon_recomputed = again.epsilon;
    if (!again.difference.empty()) differ(std::move(again.difference));
    // Earlier versions wrote these texts in other words.
    if (!found_.has_manifest) return;
    compare_mechanism(run);
    compare_run_json(run);
    compare_texts(basis, run);
  }

  // Compares the phases that a file states with those of the event tree, which has none without
  // steps.
  void compare_phases(const JsonFile& file, const char* pointer, const char* name,
                      const GaussianRun& run) {
    const auto has = [](const JsonFile::Json& phase, const char* key, auto value) {
      return phase.is_object() && phase.value(key, JsonFile::Json()) == value;
    };
    std::vector<JsonFile::Json> phases;
    bool same = file.at(pointer).is_array();
    for (std::size_t i = 0; same && i < file.at(pointer).size(); ++i) {
      const JsonFile::Json& phase = file.at(pointer)[i];
      if (!has(phase, "steps", 0)) phases.push_back(phase);
    }
    same = same && phases.size() == run.size();
    for (std::size_t i = 0; same && i < run.size(); ++i) {
      const auto is = [&](const char* key, auto value) { return has(phases[i], key, value); };
      same = is("sampling_rate", run[i].sampling_rate) &&
             is("noise_multiplier", run[i].noise_multiplier) && is("steps", run[i].steps);
    }
    if (!same) differ(fmt::format("the phases in {} are not those of the event tree.", name));
  }

  // The same numbers stand in statement.json once more, for readers.
  void compare_mechanism(const GaussianRun& run) {
    compare_phases(statement_, "/phases", "statement.json", run);
    const auto is = [&](const char* pointer, auto value) {
      return statement_.at(pointer) == value;
    };
    const bool one_phase = run.size() == 1;
    const bool same = is("/steps", total_steps(run)) &&
                      (!one_phase || (is("/sampling_rate", run[0].sampling_rate) &&
                                      is("/noise_multiplier", run[0].noise_multiplier)));
    if (!same) differ("steps, rate or noise in statement.json are not those of the event tree.");
  }

  void compare_run_json(const GaussianRun& phases) {
    const JsonFile run(path_of("run.json"));
    compare_phases(run, "/plan/phases", "run.json", phases);
    compare_input(run, "/sha256/model", "model.stan");
    compare_input(run, "/sha256/schema", "schema.toml");
    for (const char* key : {"epsilon", "delta", "adjacency", "accountant"}) {
      const std::string pointer = fmt::format("/plan/{}", key);
      if (run.at(pointer.c_str()) == statement_.at(fmt::format("/{}", key).c_str())) continue;
      differ(fmt::format("{} differs between run.json and statement.json.", key));
    }
    if (!run.truth("/private")) differ("run.json says that the fit had no privacy protection.");
    compare_unit_of(run);
  }

  void compare_unit_of(const JsonFile& run) {
    const std::string unit = statement_.text("/unit");
    const JsonFile::Json& column = run.at("/configuration/unit");
    bool same = unit == one_row_text(run.text("/inputs/record_count"));
    if (!column.is_null()) {
      const JsonFile::Json& rows = run.at("/configuration/max_rows_per_unit");
      same =
          column.is_string() && rows.is_number_integer() &&
          unit.find("the same " + column.get<std::string>() + ",") != std::string::npos &&
          unit.find(fmt::format("first {} of them", rows.get<std::int64_t>())) != std::string::npos;
    }
    if (!same) differ("unit differs between run.json and statement.json.");
  }

  void compare_input(const JsonFile& run, const char* pointer, const char* name) {
    if (!run.has(pointer) || !run.at(pointer).is_string()) return;
    if (sha256_hex(read_bundle_file(path_of(name))) == run.text(pointer)) return;
    differ(fmt::format("{} is not the file whose hash is in run.json.", name));
  }

  void compare_texts(const ClaimBasis& basis, const GaussianRun& run) {
    const std::string epsilon = exact_text(*found_.epsilon_claimed);
    const std::string delta = exact_text(*found_.delta);
    const std::string draws = read_bundle_file(path_of("draws.csv"));
    const std::string text = read_bundle_file(path_of("statement.md"));
    const auto require = [&](const std::string& content, const std::string& line, const char* claim,
                             const char* name) {
      if (contains_line(content, line)) return;
      differ(fmt::format("{} differs between {} and statement.json.", claim, name));
    };
    require(draws, "# dp_epsilon = " + epsilon, "epsilon", "draws.csv");
    require(draws, "# dp_delta = " + delta, "delta", "draws.csv");
    require(draws, "# dp_adjacency = " + found_.adjacency, "adjacency", "draws.csv");
    // Statements without a format have all digits.
    const bool rounded = statement_.has("/format");
    const auto written = [&](double bound) {
      return rounded ? rounded_up(bound) : exact_text(bound);
    };
    require(text, fmt::format("| epsilon | {} |", written(*found_.epsilon_claimed)), "epsilon",
            "statement.md");
    require(text, fmt::format("| delta | {} |", written(*found_.delta)), "delta", "statement.md");
    require(text, fmt::format("| adjacency | {} |", found_.adjacency), "adjacency", "statement.md");
    compare_unit(text);
    // What follows from a cost that differs differs too.
    if (!rounded || !found_.differences.empty()) return;
    for (std::string& difference : derived_claim_differences(statement_, text, basis, run)) {
      differ(std::move(difference));
    }
  }

  // Statements of earlier versions have the unit as it is.
  void compare_unit(const std::string& text) {
    const std::string unit = statement_.text("/unit");
    const auto has = [&](const std::string& written) {
      return contains_line(text, fmt::format("| unit of privacy | {} |", written));
    };
    if (!has(escaped_markdown(unit)) && !has(unit)) {
      differ("unit differs between statement.md and statement.json.");
    }
  }

  fs::path folder_;
  JsonFile statement_;
  BundleVerification found_;
};

}  // namespace

BundleVerification verify_bundle(const fs::path& folder) {
  require_bundle(folder);
  return Verifier(folder).verify();
}

std::vector<fs::path> leftovers_beside(const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(folder, ignored);
  return leftover_folders(parent_folder(whole.empty() ? folder : whole));
}

void require_verified(const fs::path& folder, const BundleVerification& verification) {
  if (verification.differences.empty()) return;
  throw InputError(kUnverifiedBundle, verification.differences.front(),
                   "'dpvi verify' lists all differences. Use the bundle as the fit wrote it.",
                   {folder.string(), 0, 0});
}

}  // namespace dpvi
