#include <dpvi/api/copy_bundle.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_verification.hpp>

namespace dpvi {
namespace {

// read_whole_file would decompress files and drop byte order marks.
std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void copy_bundle(const std::string& from, const std::string& to) {
  require_verified(from, verify_bundle(from));
  std::vector<FolderFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    files.push_back({entry.path().filename().string(), bytes_of(entry.path())});
  }
  write_folder(to, files);
}

}  // namespace dpvi
