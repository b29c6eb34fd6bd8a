#include <dpvi/report/netcdf/reference_heap.hpp>

#include <algorithm>
#include <span>

#include <dpvi/report/netcdf/little_endian.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kEntriesPerCollection = 4096;
constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kEntrySize = 24;
constexpr std::size_t kSmallestCollection = 4096;

// The free space at the end of a collection has a header of its own.
std::size_t collection_size(std::size_t entries) {
  return std::max(kSmallestCollection, kHeaderSize + entries * kEntrySize + kHeaderSize);
}

std::string collection(std::span<const std::uint64_t> references) {
  const std::size_t size = collection_size(references.size());
  std::string bytes = "GCOL";
  append_number(bytes, std::uint32_t{1});  // version, and three bytes of 0
  append_number(bytes, std::uint64_t{size});
  const auto append_entry_start = [&](std::size_t index, std::uint16_t uses, std::size_t length) {
    append_number(bytes, static_cast<std::uint16_t>(index));
    append_number(bytes, uses);
    append_number(bytes, std::uint32_t{0});
    append_number(bytes, std::uint64_t{length});
  };
  for (std::size_t i = 0; i < references.size(); ++i) {
    append_entry_start(i + 1, 1, sizeof references[i]);
    append_number(bytes, references[i]);
  }
  append_entry_start(0, 0, size - bytes.size());
  bytes.resize(size, '\0');
  return bytes;
}

}  // namespace

std::string ReferenceHeap::add(std::uint64_t reference) {
  const std::size_t place = references_.size();
  references_.push_back(reference);
  const std::size_t before = place / kEntriesPerCollection * collection_size(kEntriesPerCollection);
  std::string identifier;
  append_number(identifier, address_ + before);
  append_number(identifier, static_cast<std::uint32_t>(place % kEntriesPerCollection + 1));
  return identifier;
}

std::string ReferenceHeap::bytes() const {
  std::string all;
  std::span<const std::uint64_t> left = references_;
  while (!left.empty()) {
    const std::size_t count = std::min(left.size(), kEntriesPerCollection);
    all += collection(left.first(count));
    left = left.subspan(count);
  }
  return all;
}

}  // namespace dpvi
