#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dpvi {

// HDF5's global heap, holding references and texts. Its collections follow each other from
// `address` on. Section III.E of the file format.
class GlobalHeap {
 public:
  explicit GlobalHeap(std::uint64_t address) : address_(address) {}

  // Adds the bytes of an entry and returns its identifier in the heap, 12 bytes.
  std::string add(std::string_view entry);

  // All collections. Empty if nothing was added.
  std::string bytes() const;

 private:
  std::uint64_t address_;
  std::string full_;  // collections that take no more entries
  std::string open_;  // entries of the last collection
  std::size_t entries_ = 0;
};

}  // namespace dpvi
