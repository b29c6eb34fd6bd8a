#include <dpvi/data/store_writer.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/data/little_endian.hpp>
#include <dpvi/data/store_errors.hpp>

namespace dpvi {
namespace {

[[noreturn]] void fail_to_write(const std::string& shown, int reason) {
  throw WriteError(kWriteFailed,
                   fmt::format("'{}' could not be written: {}.", shown, error_text(reason)),
                   "Check the free space and quota of that disk; nothing half-written was left.");
}

}  // namespace

StoreWriter::StoreWriter(const std::filesystem::path& file, std::string shown,
                         std::vector<StoredColumn> columns)
    : shown_(std::move(shown)),
      file_(file, O_WRONLY | O_CREAT | O_EXCL, 0666),
      columns_(std::move(columns)),
      description_(store_description(columns_)) {
  if (!file_.is_open()) fail_to_write(shown_, errno);
  layout_.description_bytes = description_.size();
  layout_.row_bytes = dpvi::row_bytes(columns_);
  layout_.rows_per_block = rows_per_block(layout_.row_bytes);
  if (!layout_.is_possible()) {
    throw InputError(kBadStore, "the table has too many columns, or too long names, for a store.",
                     "Leave out columns that no program reads.");
  }
  rows_.reserve(layout_.rows_per_block * layout_.row_bytes);
  write(std::string(StoreLayout::kPrefix, '\0'));
  write(description_);
}

void StoreWriter::append(const TypedBlock& block) {
  if (block.rows > StoreLayout::kMostRows - layout_.rows) {
    throw InputError(kBadStore, "the table has more rows than a record store can hold.",
                     "Split the table.");
  }
  for (std::size_t row = 0; row < block.rows; ++row) {
    encode(block, row);
    if (rows_.size() == layout_.rows_per_block * layout_.row_bytes) write_block();
  }
  layout_.rows += block.rows;
}

void StoreWriter::encode(const TypedBlock& block, std::size_t row) {
  rows_.resize(rows_.size() + layout_.row_bytes);
  char* to = rows_.data() + rows_.size() - layout_.row_bytes;
  std::size_t next = 0;
  for (const StoredColumn& column : columns_) {
    if (column.kind == StoredKind::unit) {
      put_little(block.units[row], column.bytes(), to);
    } else {
      column.encode(block.columns[next++].cell(row), to);
    }
    to += column.bytes();
  }
}

void StoreWriter::write_block() {
  digests_ += sha256_bytes(rows_);
  write(rows_);
  rows_.clear();
}

std::string StoreWriter::finish() {
  if (!rows_.empty()) write_block();
  write(digests_);
  const std::string prefix = store_prefix(layout_, description_, digests_);
  if (::pwrite(file_.number(), prefix.data(), prefix.size(), 0) !=
      static_cast<::ssize_t>(prefix.size())) {
    fail_to_write(shown_, errno);
  }
  return sha256_hex(prefix);
}

void StoreWriter::close(std::string_view seal) {
  write(seal);
  if (!file_.sync() || !file_.close()) fail_to_write(shown_, errno);
}

void StoreWriter::write(std::string_view bytes) {
  if (!file_.write(bytes)) fail_to_write(shown_, errno);
}

}  // namespace dpvi
