#pragma once

#include <filesystem>
#include <vector>

#include <dpvi/base/open_file.hpp>

namespace dpvi {

// A folder for work in progress: new, beside `target`, named `.dpvi-` plus sixteen hexadecimal
// digits. It is removed with its contents at the end, unless it was renamed.
//
// A process that is killed leaves its folder. The folder is locked as long as its process lives, so
// the next process that makes one in the same place recognises what is left and removes it.
// Guarantee: a folder of a living process is never removed, nor one of another user.
class WorkingFolder {
 public:
  // is_open() tells whether it succeeded. After a failure errno gives the reason.
  explicit WorkingFolder(const std::filesystem::path& target);
  ~WorkingFolder();
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  bool is_open() const { return !path_.empty(); }
  const std::filesystem::path& path() const { return path_; }

  // Renames the folder, which then stays. rename(2) never replaces a folder that is not empty, a
  // file or a link. After a failure errno gives the reason.
  bool keep_as(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  OpenFile lock_{-1};
};

// Folders in `parent` that processes of this user left when they were killed.
std::vector<std::filesystem::path> leftover_folders(const std::filesystem::path& parent);

}  // namespace dpvi
