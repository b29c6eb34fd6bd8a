#include <dpvi/data/store_layout.hpp>

#include <algorithm>
#include <unordered_set>

#include <dpvi/base/sha256.hpp>
#include <dpvi/data/little_endian.hpp>
#include <dpvi/data/utf8.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kNumbers = 48;  // magic, version, a zero and four numbers
constexpr std::size_t kDigest = StoreLayout::kDigest;
constexpr std::size_t kHexDigest = 2 * kDigest;

// Takes parts off a text. Once the text is too short, every part is empty.
class Parts {
 public:
  explicit Parts(std::string_view rest) : rest_(rest) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      complete_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

  std::uint64_t number(std::size_t size) {
    const std::string_view part = take(size);
    return part.empty() ? 0 : get_little(part.data(), size);
  }

  bool complete() const { return complete_; }
  bool at_end() const { return complete_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool complete_ = true;
};

bool is_possible(const StoredColumn& column) {
  constexpr std::uint64_t kMostCodes = std::uint64_t{1} << 32;
  constexpr std::int64_t kFarthest = std::int64_t{1} << 32;
  return column.count <= kMostCodes && column.first >= -kFarthest && column.first <= kFarthest &&
         is_utf8(column.name);
}

}  // namespace

bool StoreLayout::is_possible() const {
  return description_bytes <= kMostDescription && row_bytes >= 1 && row_bytes <= kMostRowBytes &&
         rows <= kMostRows && rows_per_block == dpvi::rows_per_block(row_bytes);
}

std::uint64_t rows_per_block(std::size_t row_bytes) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  return std::max<std::size_t>(1, kBlock / row_bytes);
}

std::string store_prefix(const StoreLayout& layout, std::string_view description,
                         std::string_view block_digests) {
  std::string prefix(StoreLayout::kMagic);
  append_little(prefix, StoreLayout::kVersion, 4);
  append_little(prefix, 0, 4);
  for (const std::uint64_t number :
       {layout.description_bytes, layout.row_bytes, layout.rows_per_block, layout.rows}) {
    append_little(prefix, number, 8);
  }
  prefix += sha256_bytes(description);
  prefix += sha256_bytes(block_digests);
  prefix += sha256_bytes(prefix);
  return prefix;
}

std::optional<StoreLayout> read_store_prefix(std::string_view prefix) {
  if (prefix.size() != StoreLayout::kPrefix || !prefix.starts_with(StoreLayout::kMagic)) {
    return std::nullopt;
  }
  if (sha256_bytes(prefix.substr(0, prefix.size() - kDigest)) != content_digest(prefix)) {
    return std::nullopt;
  }
  Parts parts(prefix.substr(StoreLayout::kMagic.size()));
  const bool known = parts.number(4) == StoreLayout::kVersion && parts.number(4) == 0;
  StoreLayout layout;
  for (std::uint64_t* number :
       {&layout.description_bytes, &layout.row_bytes, &layout.rows_per_block, &layout.rows}) {
    *number = parts.number(8);
  }
  return known && layout.is_possible() ? std::optional(layout) : std::nullopt;
}

std::string_view description_digest(std::string_view prefix) {
  return prefix.substr(kNumbers, kDigest);
}

std::string_view block_list_digest(std::string_view prefix) {
  return prefix.substr(kNumbers + kDigest, kDigest);
}

std::string_view content_digest(std::string_view prefix) {
  return prefix.substr(kNumbers + 2 * kDigest, kDigest);
}

std::string store_description(std::span<const StoredColumn> columns) {
  std::string text;
  append_little(text, columns.size(), 8);
  for (const StoredColumn& column : columns) {
    append_little(text, static_cast<std::uint8_t>(column.kind), 1);
    append_little(text, static_cast<std::uint64_t>(column.first), 8);
    append_little(text, column.count, 8);
    text += column.declarations;
    append_little(text, column.name.size(), 8);
    text += column.name;
  }
  return text;
}

std::optional<std::vector<StoredColumn>> read_store_description(std::string_view description) {
  Parts parts(description);
  const std::uint64_t count = parts.number(8);
  std::vector<StoredColumn> columns;
  std::unordered_set<std::string> names;
  for (std::uint64_t i = 0; i < count && parts.complete(); ++i) {
    const std::uint64_t kind = parts.number(1);
    StoredColumn column;
    column.kind = static_cast<StoredKind>(kind);
    column.first = static_cast<std::int64_t>(parts.number(8));
    column.count = parts.number(8);
    column.declarations = parts.take(kHexDigest);
    column.name = parts.take(parts.number(8));
    const bool known = kind <= static_cast<std::uint64_t>(StoredKind::unit);
    if (!known || !is_possible(column) || !names.insert(column.name).second) return std::nullopt;
    columns.push_back(std::move(column));
  }
  if (!parts.at_end() || columns.empty()) return std::nullopt;
  return columns;
}

std::size_t row_bytes(std::span<const StoredColumn> columns) {
  std::size_t sum = 0;
  for (const StoredColumn& column : columns) sum += column.bytes();
  return sum;
}

}  // namespace dpvi
