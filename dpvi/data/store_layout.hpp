#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/store_column.hpp>

namespace dpvi {

// The parts of a store file, in order: prefix, description of the columns, rows, one SHA-256 for
// each block of rows, seal. Numbers are written lowest byte first.
//
// The prefix holds the numbers below, the SHA-256 of the description and that of the list of block
// digests, and ends with the SHA-256 of all of this, so that it stands for the whole content. The
// seal is not covered; whoever wrote it has signed it.
struct StoreLayout {
  static constexpr std::string_view kMagic{
      "\x89"
      "DPVI\r\n\x1a",
      8};
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::size_t kDigest = 32;
  static constexpr std::size_t kPrefix = 48 + 3 * kDigest;
  static constexpr std::uint64_t kMostDescription = std::uint64_t{1} << 28;
  static constexpr std::uint64_t kMostRowBytes = std::uint64_t{1} << 26;
  static constexpr std::uint64_t kMostRows = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kMostSeal = 4096;

  std::uint64_t description_bytes = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t rows_per_block = 0;
  std::uint64_t rows = 0;

  std::uint64_t rows_at() const { return kPrefix + description_bytes; }
  std::uint64_t blocks() const { return (rows + rows_per_block - 1) / rows_per_block; }
  std::uint64_t digests_at() const { return rows_at() + rows * row_bytes; }
  std::uint64_t seal_at() const { return digests_at() + blocks() * kDigest; }

  // False if a number is beyond what any store has. Otherwise no sum or product above overflows.
  bool is_possible() const;
};

// About 1 MiB of rows, and at least one row.
std::uint64_t rows_per_block(std::size_t row_bytes);

// The prefix of a file; digests are 32 bytes each.
std::string store_prefix(const StoreLayout& layout, std::string_view description,
                         std::string_view block_digests);
// The layout, or nullopt if the bytes are no prefix of this version. `prefix` has kPrefix bytes.
std::optional<StoreLayout> read_store_prefix(std::string_view prefix);
std::string_view description_digest(std::string_view prefix);
std::string_view block_list_digest(std::string_view prefix);
std::string_view content_digest(std::string_view prefix);

std::string store_description(std::span<const StoredColumn> columns);
// The columns, or nullopt if the text is none of store_description().
std::optional<std::vector<StoredColumn>> read_store_description(std::string_view description);

// The sum of the columns' bytes.
std::size_t row_bytes(std::span<const StoredColumn> columns);

}  // namespace dpvi
