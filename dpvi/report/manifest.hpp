#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/report/atomic_folder.hpp>

namespace dpvi {

inline constexpr std::string_view kManifestName = "manifest.json";

// manifest.json: the SHA-256 of every other file of a bundle.
std::string manifest_json(const std::vector<FolderFile>& files);

// The hashes of a manifest, by file name. Throws InputError DP411 if the text is not a manifest, or
// names a file that is not directly in the folder.
std::map<std::string, std::string> parse_manifest(const std::string& path);

}  // namespace dpvi
