#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// A new folder that is removed with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    // mkdtemp replaces the last six characters.
    std::string name = (std::filesystem::temp_directory_path() / "dpvi_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string path_of(const std::string& name) const { return (path_ / name).string(); }

  // Writes a file and returns its path. An existing file is removed first, since some file systems
  // wait for the disk when a file is overwritten.
  std::string write(const std::string& name, std::string_view content) const {
    std::filesystem::remove(path_of(name));
    std::ofstream(path_of(name), std::ios::binary) << content;
    return path_of(name);
  }

  // Names of all entries, including hidden files.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace dpvi
