#include <dpvi/data/arrow_stream.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr std::int64_t kPieceRows = 1 << 16;  // what is copied stays in the cache
constexpr std::int64_t kMostColumns = 1'000'000;

[[noreturn]] void refuse(const std::string& what) {
  throw InputError(kBadArrow, "the data frame is malformed: " + what + ".",
                   "Make the data frame anew, or save it as CSV.");
}

template <typename Struct>
void release_struct(Struct& held) noexcept {
  if (held.release != nullptr) held.release(&held);
  held.release = nullptr;
}

// The schema of a stream is needed only while its columns are read.
struct HeldSchema {
  ArrowSchema schema;

  HeldSchema() = default;
  HeldSchema(const HeldSchema&) = delete;
  HeldSchema& operator=(const HeldSchema&) = delete;
  ~HeldSchema() { release_struct(schema); }
};

[[noreturn]] void refuse_type(const ArrowColumn& column, const std::string& rule,
                              const std::string& hint) {
  throw InputError(
      kNotBindable,
      fmt::format("column '{}' holds {}; {}.", column.name(), column.type().name, rule), hint);
}

bool names_numbers(const BoundColumn& wanted) {
  return std::ranges::any_of(wanted.levels,
                             [](const std::string& level) { return level == "0" || level == "1"; });
}

void refuse_type_of(const ArrowColumn& column, const BoundColumn& wanted) {
  const ArrowKind kind = column.kind();
  if (kind == ArrowKind::unreadable) {
    refuse_type(column, "a program takes numbers, texts, Booleans and dates",
                column.type().name == "decimals"
                    ? "Convert the column to double precision."
                    : "Convert the column, or leave it out of the program.");
  }
  if (kind == ArrowKind::date && wanted.type != ColumnType::category && !wanted.cells.date) {
    refuse_type(column, "the program takes a number",
                "Declare type = \"date\" in the schema, which reads days since a public date.");
  }
  if (kind == ArrowKind::boolean && wanted.type == ColumnType::category && !names_numbers(wanted)) {
    refuse_type(column, "these are read as 0 and 1, which the declared levels do not list",
                "Declare levels = [\"0\", \"1\"], or type = \"int\".");
  }
}

}  // namespace

ArrowStream::ArrowStream(ArrowArrayStream* stream) : stream_(*stream) {
  stream->release = nullptr;  // moved
  try {
    read_schema();
  } catch (...) {
    release();
    throw;
  }
}

ArrowStream::~ArrowStream() { release(); }

void ArrowStream::release() noexcept {
  release_struct(batch_);
  release_struct(stream_);
}

void ArrowStream::read_schema() {
  if (stream_.release == nullptr || stream_.get_schema == nullptr || stream_.get_next == nullptr) {
    refuse("its stream was released or has no functions");
  }
  HeldSchema held;
  if (stream_.get_schema(&stream_, &held.schema) != 0) refuse("its columns cannot be read");
  const ArrowSchema& schema = held.schema;
  if (schema.release == nullptr || schema.format == nullptr ||
      std::string_view(schema.format) != "+s") {
    refuse("it is not a table of columns");
  }
  if (schema.n_children < 0 || schema.n_children > kMostColumns ||
      (schema.n_children > 0 && schema.children == nullptr)) {
    refuse("its number of columns is wrong");
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] == nullptr) refuse("a column is missing");
    columns_.emplace_back(*schema.children[i]);
  }
  refuse_bad_names(header());
}

std::vector<std::string> ArrowStream::header() const {
  std::vector<std::string> names;
  for (const ArrowColumn& column : columns_) names.push_back(column.name());
  return names;
}

std::vector<ArrowKind> ArrowStream::kinds() const {
  std::vector<ArrowKind> kinds;
  for (const ArrowColumn& column : columns_) kinds.push_back(column.kind());
  return kinds;
}

void ArrowStream::refuse_types(const Binding& binding) const {
  for (const BoundColumn& wanted : binding.columns) {
    refuse_type_of(columns_[wanted.position], wanted);
  }
  if (!binding.unit) return;
  const ArrowColumn& ids = columns_[binding.unit->position];
  if (ids.kind() == ArrowKind::unreadable) {
    refuse_type(ids, "ids are numbers, texts or dates", "Convert the column.");
  }
}

bool ArrowStream::next_batch() {
  release_struct(batch_);
  batch_ = {};
  if (stream_.get_next(&stream_, &batch_) != 0) {
    batch_.release = nullptr;  // a failed call leaves nothing to release
    throw InputError(kBadArrow, "the program that holds the data frame failed to deliver its rows.",
                     "Read the whole data frame into memory first; it shows what is wrong.");
  }
  if (batch_.release == nullptr) return false;
  check_batch();
  started_.assign(columns_.size(), false);
  piece_ = {0, 0};
  return true;
}

void ArrowStream::check_batch() const {
  constexpr std::int64_t kMost = std::int64_t{1} << 48;
  if (batch_.length < 0 || batch_.length > kMost) refuse("its number of rows is wrong");
  if (batch_.offset < 0 || batch_.offset > kMost) refuse("its first row is wrong");
  if (batch_.n_children != static_cast<std::int64_t>(columns_.size()) ||
      (batch_.n_children > 0 && batch_.children == nullptr)) {
    refuse("its number of columns changed");
  }
  for (std::int64_t i = 0; i < batch_.n_children; ++i) {
    if (batch_.children[i] == nullptr) refuse("a column is missing");
  }
  const bool rows_marked = batch_.n_buffers > 0 && batch_.buffers != nullptr &&
                           batch_.buffers[0] != nullptr && batch_.null_count != 0;
  if (rows_marked) refuse("whole rows are marked as missing");
}

bool ArrowStream::next_piece() {
  piece_.first += piece_.count;
  piece_.count = 0;
  while (batch_.release == nullptr || piece_.first == batch_.length) {
    if (!next_batch()) return false;
  }
  piece_.count = std::min(kPieceRows, batch_.length - piece_.first);
  return true;
}

MemoryColumn ArrowStream::column(std::size_t position) {
  ArrowColumn& column = columns_[position];
  if (!started_[position]) {
    column.start(*batch_.children[position], batch_.offset + batch_.length);
    started_[position] = true;
  }
  return column.cells({batch_.offset + piece_.first, piece_.count});
}

}  // namespace dpvi
