#include <filesystem>
#include <string>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/manifest.hpp>
#include <nlohmann/json.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/source_folder.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames[] = {"statement.json", "posterior.json", "run.json",   "draws.csv",
                                  "manifest.json",  "schema.toml",    "model.stan", "statement.md"};

// A copy of a stored bundle in which one file at a time is another.
class ForgedBundle {
 public:
  ForgedBundle() {
    for (const auto& entry : fs::directory_iterator(tests_folder() / "report/stored/format2")) {
      fs::copy(entry.path(), folder_.path());
    }
    manifest_ = nlohmann::json::parse(text_of("manifest.json"));
  }

  // The manifest agrees with the file, as a forger would see to.
  void replace(const std::string& name, std::string_view content) {
    restore();
    replaced_ = name;
    original_ = text_of(name);
    folder_.write(name, content);
    if (name == kManifestName) return;
    nlohmann::json manifest = manifest_;
    manifest["sha256"][name] = sha256_hex(content);
    folder_.write("manifest.json", manifest.dump());
  }

  const TemporaryFolder& folder() const { return folder_; }

 private:
  void restore() {
    if (replaced_.empty()) return;
    folder_.write(replaced_, original_);
    folder_.write("manifest.json", manifest_.dump());
  }

  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_.path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder_;
  nlohmann::json manifest_;
  std::string replaced_, original_;
};

}  // namespace

// The first byte chooses the file of the bundle that the rest replaces: 'a' is the first name.
bool read_bundle_file_of_stranger(std::string_view content) {
  static ForgedBundle forged;
  if (content.empty()) return false;
  const auto choice = static_cast<std::size_t>(content[0] - 'a') % std::size(kNames);
  forged.replace(kNames[choice], content.substr(1));
  allow_refusal([] { verify_bundle(forged.folder().path()); });
  return allow_refusal([] {
    const OpenedBundle opened = open_bundle(forged.folder().path());
    row_program(opened);
  });
}

}  // namespace dpvi
