#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dpvi {

// An open file, closed at the end. All files of dpvi are read and written through this class,
// except those of SQLite. A call that a signal interrupts is repeated, so no caller meets EINTR.
// After a failure errno gives the reason.
class OpenFile {
 public:
  // Flags and mode are those of open(2); the file is never inherited by another program. is_open()
  // tells whether it succeeded.
  OpenFile(const std::filesystem::path& path, int flags, ::mode_t mode = 0);
  // Takes over a descriptor, or none if it is negative.
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  // Reads at most `size` bytes. 0 is the end of the file; nullopt is a failure.
  std::optional<std::size_t> read(char* out, std::size_t size) const;
  bool write(std::string_view bytes) const;
  // Waits until the content is on disk.
  bool sync() const;
  // The caller closes the descriptor.
  int give_away() { return std::exchange(number_, -1); }
  // Some file systems report a failed write only here.
  bool close();

 private:
  int number_;
};

// Writes everything to a descriptor that stays open. After a failure errno gives the reason.
bool write_fully(int descriptor, std::string_view bytes);

// Waits until the names in a folder are on disk. A file system that cannot sync folders counts as
// success: its names cannot be made more durable.
bool sync_folder(const std::filesystem::path& folder);

// The names in a folder in alphabetical order, or nullopt. After a failure errno gives the reason.
std::optional<std::vector<std::string>> names_in_folder(const std::filesystem::path& folder);

// The folder that holds `path`; "." for a plain name.
std::filesystem::path parent_folder(const std::filesystem::path& path);

// The system's text for an error number.
std::string error_text(int error_number);

}  // namespace dpvi
