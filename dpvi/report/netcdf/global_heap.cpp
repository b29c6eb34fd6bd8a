#include <dpvi/report/netcdf/global_heap.hpp>

#include <algorithm>

#include <dpvi/report/netcdf/little_endian.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kEntriesPerCollection = 4096;
constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kSmallestCollection = 4096;
constexpr std::size_t kEntryAlignment = 8;

void append_entry_start(std::string& bytes, std::size_t index, std::uint16_t uses,
                        std::size_t length) {
  append_number(bytes, static_cast<std::uint16_t>(index));
  append_number(bytes, uses);
  append_number(bytes, std::uint32_t{0});
  append_number(bytes, std::uint64_t{length});
}

// The free space at the end of a collection has a header of its own.
std::string collection(std::string_view entries) {
  const std::size_t size =
      std::max(kSmallestCollection, kHeaderSize + entries.size() + kHeaderSize);
  std::string bytes = "GCOL";
  append_number(bytes, std::uint32_t{1});  // version, and three bytes of 0
  append_number(bytes, std::uint64_t{size});
  bytes += entries;
  append_entry_start(bytes, 0, 0, size - bytes.size());
  bytes.resize(size, '\0');
  return bytes;
}

}  // namespace

std::string GlobalHeap::add(std::string_view entry) {
  if (entries_ == kEntriesPerCollection) {
    full_ += collection(open_);
    open_.clear();
    entries_ = 0;
  }
  append_entry_start(open_, ++entries_, 1, entry.size());
  open_ += entry;
  open_.resize((open_.size() + kEntryAlignment - 1) / kEntryAlignment * kEntryAlignment, '\0');
  std::string identifier;
  append_number(identifier, address_ + full_.size());
  append_number(identifier, static_cast<std::uint32_t>(entries_));
  return identifier;
}

std::string GlobalHeap::bytes() const { return open_.empty() ? full_ : full_ + collection(open_); }

}  // namespace dpvi
