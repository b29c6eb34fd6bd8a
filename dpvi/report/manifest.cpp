#include <dpvi/report/manifest.hpp>

#include <nlohmann/json.hpp>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {
namespace {

constexpr int kManifestFormat = 1;

bool is_plain_name(const std::string& name) {
  const bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz._0123456789") == std::string::npos;
  return plain && !name.empty() && name.front() != '.' && name != kManifestName;
}

}  // namespace

std::string manifest_json(const std::vector<FolderFile>& files) {
  nlohmann::ordered_json hashes = nlohmann::ordered_json::object();
  for (const FolderFile& file : files) hashes[file.name] = sha256_hex(file.text);
  const nlohmann::ordered_json document = {{"format", kManifestFormat}, {"sha256", hashes}};
  return document.dump(2) + "\n";
}

std::map<std::string, std::string> parse_manifest(const std::string& path) {
  const JsonFile file(path, read_bundle_file(path, kLargestManifest));
  if (file.at("/format") != kManifestFormat) file.refuse("/format", "is not a known format");
  const JsonFile::Json& listed = file.at("/sha256");
  constexpr std::size_t kMostFiles = 64;
  if (!listed.is_object() || listed.size() > kMostFiles) file.refuse("/sha256", "is not a list");
  std::map<std::string, std::string> hashes;
  for (const auto& [name, hash] : listed.items()) {
    if (!is_plain_name(name)) file.refuse("/sha256", "has a name that no file of a bundle has");
    if (!hash.is_string()) file.refuse("/sha256", "has a hash that is not a string");
    hashes[name] = hash.get<std::string>();
  }
  return hashes;
}

}  // namespace dpvi
