#pragma once

#include <cstdint>
#include <filesystem>

#include <dpvi/base/open_file.hpp>

namespace dpvi {

// Disk space beside a folder that is still to be written. It belongs to a file without a name, so
// that nothing is left if the process is killed.
class ReservedSpace {
 public:
  // Throws WriteError if the disk has less space. Reserves nothing on a file system that cannot.
  ReservedSpace(const std::filesystem::path& target, std::uint64_t bytes);

  // Makes room for the folder.
  void release();

 private:
  OpenFile file_{-1};
};

}  // namespace dpvi
