#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

struct FolderFile {
  std::string name;
  std::string text;
};

// Throws CannotCreateError if a file or folder of this name cannot be created now: the name is
// taken, or its parent is missing or not writable. Throws WriteError if the disk is full. Meant to
// be called before any privacy budget is spent.
void check_can_create(const std::filesystem::path& target);

// Creates the file `target`, complete and on disk under its final name, or nothing. Throws like
// write_folder().
// Guarantee: an existing file is never replaced.
void write_new_file(const std::filesystem::path& target, std::string_view text);

// A file that is written under a temporary name and appears under its own name complete and on
// disk, or not at all. Errors and guarantees are those of write_new_file().
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& target);
  ~NewFile();

  // Where to write it. The file does not exist yet, and must be synced before finish().
  std::filesystem::path path() const;
  // Gives it its name.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Creates the folder `target` with these files: all of them, on disk, under the final name, or
// nothing. Files are written and synced in a sibling folder with a random name, which is then
// renamed. Throws CannotCreateError as check_can_create() does, and WriteError if the disk does not
// accept the content.
//
// Guarantee: whatever fails, nothing half-written stays. Only a process that is killed may leave a
// sibling named `.dpvi-` plus sixteen hexadecimal digits, never a folder named `target`.
// Guarantee: of several writers of one target exactly one succeeds, and its folder is whole.
void write_folder(const std::filesystem::path& target, const std::vector<FolderFile>& files);

// Writes such a folder piece by piece: large files need not be in memory. Errors and guarantees are
// those of write_folder(); without finish() nothing stays.
class NewFolder {
 public:
  explicit NewFolder(const std::filesystem::path& target);
  ~NewFolder();

  // Begins a file and completes the one before it.
  void begin(const std::string& name);
  // Adds to the file that was begun last.
  void write(std::string_view text);
  // Completes the folder under its final name.
  void finish();

 private:
  struct State;
  void complete_file();

  std::unique_ptr<State> state_;
};

}  // namespace dpvi
