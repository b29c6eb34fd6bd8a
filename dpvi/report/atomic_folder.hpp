#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

struct FolderFile {
  std::string name;
  std::string text;
};

// Throws CannotCreateError if a file or folder of this name could not be made now: the name is
// taken, its parent is missing or may not be written; WriteError if the disk is full. Meant for
// before anything is spent.
void check_can_create(const std::filesystem::path& target);

// Makes the file `target`, whole and on disk under its final name, or nothing; throws like
// write_folder().
// Guarantee: an existing file is never replaced.
void write_new_file(const std::filesystem::path& target, std::string_view text);

// Makes the folder `target` with these files: all of them, on disk, under the final name, or
// nothing. Files are written and synced in a sibling folder of a random name, which is renamed.
// Throws CannotCreateError where check_can_create() would, WriteError where the disk does not take
// the content.
//
// Guarantee: whatever fails, nothing half-written stays. Only a process that is killed may leave a
// sibling named `.dpvi-` and sixteen hexadecimal digits behind, never a folder named `target`.
// Guarantee: of several writers of one target exactly one succeeds, and its folder is whole.
void write_folder(const std::filesystem::path& target, const std::vector<FolderFile>& files);

}  // namespace dpvi
