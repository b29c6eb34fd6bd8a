#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace dpvi {

// The files of a bundle that readers need, by name.
struct BundleTexts {
  std::filesystem::path folder;  // for messages
  std::map<std::string, std::string> files;

  std::string path(const std::string& name) const { return (folder / name).string(); }
  bool has(const std::string& name) const { return files.contains(name); }
  // Throws MissingInputError if there is no such file.
  const std::string& text(const std::string& name) const;
};

// Throws MissingInputError if there is no such folder, InputError if it is not a folder.
BundleTexts read_bundle_texts(const std::filesystem::path& folder);

}  // namespace dpvi
