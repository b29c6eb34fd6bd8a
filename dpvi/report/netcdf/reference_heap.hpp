#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dpvi {

// HDF5's global heap, holding references. Its collections follow each other from `address` on.
// Section III.E of the file format.
class ReferenceHeap {
 public:
  explicit ReferenceHeap(std::uint64_t address) : address_(address) {}

  // Adds a reference and returns its identifier in the heap, 12 bytes.
  std::string add(std::uint64_t reference);

  // All collections. Empty if nothing was added.
  std::string bytes() const;

 private:
  std::uint64_t address_;
  std::vector<std::uint64_t> references_;
};

}  // namespace dpvi
