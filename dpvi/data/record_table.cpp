#include <dpvi/data/record_table.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <numeric>

#include <dpvi/data/lane_transpose.hpp>

namespace dpvi {
namespace {

// Log2 of the rows per piece: the largest power of two that fits into 8 MiB.
unsigned choose_piece_bits(std::size_t words_per_row) {
  constexpr std::size_t kWordsPerPiece = std::size_t{1} << 21;
  const std::size_t rows = std::max<std::size_t>(1, kWordsPerPiece / words_per_row);
  return static_cast<unsigned>(std::bit_width(rows)) - 1;
}

}  // namespace

RecordTable::RecordTable(std::size_t real_slots, std::size_t integer_slots, Precision precision)
    : real_slots_(real_slots),
      integer_slots_(integer_slots),
      precision_(precision),
      words_per_row_(words_of_reals() + integer_slots + 1),
      piece_bits_(choose_piece_bits(words_per_row_)),
      zero_row_(words_per_row_) {}

std::size_t RecordTable::words_of_reals() const {
  return precision_ == Precision::single_precision ? real_slots_ : 2 * real_slots_;
}

const std::uint32_t* RecordTable::row(std::uint64_t index) const {
  assert(index < row_count_);
  const std::uint64_t within = index & ((std::uint64_t{1} << piece_bits_) - 1);
  return pieces_[index >> piece_bits_].get() + within * words_per_row_;
}

std::uint32_t* RecordTable::place_of_row(std::uint64_t index) {
  const std::uint64_t rows_per_piece = std::uint64_t{1} << piece_bits_;
  const std::uint64_t within = index & (rows_per_piece - 1);
  auto& piece = pieces_[index >> piece_bits_];
  if (piece == nullptr) {
    piece = make_table_piece(rows_per_piece * words_per_row_, index < rows_per_piece);
  }
  return piece.get() + within * words_per_row_;
}

std::uint32_t* RecordTable::next_row() {
  assert(first_rows_.empty());
  if (pieces_.size() << piece_bits_ == row_count_) pieces_.emplace_back();
  return place_of_row(row_count_++);
}

void RecordTable::append(std::span<const double> reals, std::span<const std::int32_t> integers) {
  assert(reals.size() == real_slots_ && integers.size() == integer_slots_);
  std::uint32_t* words = next_row();
  for (const double real : reals) {
    if (precision_ == Precision::single_precision) {
      *words++ = std::bit_cast<std::uint32_t>(static_cast<float>(real));
    } else {
      std::memcpy(words, &real, sizeof real);
      words += 2;
    }
  }
  for (const std::int32_t integer : integers) *words++ = static_cast<std::uint32_t>(integer);
  *words = 1;
}

void RecordTable::append_unusable() { std::fill_n(next_row(), words_per_row_, 0u); }

void RecordTable::assign_last_row(std::uint32_t record) {
  record_of_row_.push_back(record);
  assert(record_of_row_.size() == row_count_);
}

std::optional<std::uint32_t> RecordTable::assignment(std::uint64_t row) const {
  return record_of_row_.empty() ? std::nullopt : std::optional(record_of_row_[row]);
}

RecordTable RecordTable::gathered() && {
  if (record_of_row_.empty()) return std::move(*this);
  assert(record_of_row_.size() == row_count_);
  const std::uint32_t last = *std::max_element(record_of_row_.begin(), record_of_row_.end());
  RecordTable made(real_slots_, integer_slots_, precision_);
  made.row_count_ = row_count_;
  made.pieces_.resize(pieces_.size());
  made.first_rows_.assign(std::size_t{last} + 2, 0);
  for (const std::uint32_t record : record_of_row_) ++made.first_rows_[std::size_t{record} + 1];
  std::partial_sum(made.first_rows_.begin(), made.first_rows_.end(), made.first_rows_.begin());
  std::vector<std::uint64_t> next(made.first_rows_.begin(), made.first_rows_.end() - 1);
  for (std::uint64_t index = 0; index < row_count_; ++index) {
    forget_before(index);
    std::copy_n(row(index), words_per_row_, made.place_of_row(next[record_of_row_[index]]++));
  }
  return made;
}

std::uint64_t RecordTable::record_count() const {
  assert(record_of_row_.empty());
  return first_rows_.empty() ? row_count_ : first_rows_.size() - 1;
}

RecordTable::Rows RecordTable::rows_of(std::uint64_t record) const {
  if (first_rows_.empty()) return {record, record + 1};
  return {first_rows_[record], first_rows_[record + 1]};
}

void RecordTable::forget_before(std::uint64_t row) {
  const auto whole_pieces = static_cast<std::ptrdiff_t>(row >> piece_bits_);
  for (std::ptrdiff_t piece = whole_pieces - 1; piece >= 0; --piece) {
    auto& memory = pieces_[static_cast<std::size_t>(piece)];
    if (memory == nullptr) return;
    memory.reset();
  }
}

void RecordTable::prefetch(std::span<const std::uint64_t> records) const {
  constexpr std::size_t kWordsPerCacheLine = 16;
  constexpr std::uint64_t kFewRows = 4;  // the hardware prefetcher fetches later rows
  for (const std::uint64_t record : records) {
    const auto [first, end] = rows_of(record);
    for (std::uint64_t index = first; index < std::min(end, first + kFewRows); ++index) {
      const std::uint32_t* words = row(index);
      for (std::size_t i = 0; i < words_per_row_; i += kWordsPerCacheLine) {
        __builtin_prefetch(words + i);
      }
      __builtin_prefetch(words + words_per_row_ - 1);
    }
  }
}

RecordTable::Lanes RecordTable::find_lanes(std::span<const std::uint64_t> rows) const {
  assert(rows.size() <= kLanes);
  Lanes lanes;
  lanes.fill(zero_row_.data());
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    if (rows[lane] != kNoRow) lanes[lane] = row(rows[lane]);
  }
  return lanes;
}

std::uint32_t RecordTable::load_integers(Lanes lanes, std::span<std::int32_t> integers) const {
  assert(integers.size() >= integer_slots_ * kLanes);
  std::uint32_t usable = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    usable |= lanes[lane][words_per_row_ - 1] << lane;
    lanes[lane] += words_of_reals();
  }
  transpose_words(lanes.data(), integer_slots_, integers.data());
  return usable;
}

std::uint32_t RecordTable::load_lanes(std::span<const std::uint64_t> rows, std::span<float> reals,
                                      std::span<std::int32_t> integers) const {
  assert(precision_ == Precision::single_precision && reals.size() >= real_slots_ * kLanes);
  const Lanes lanes = find_lanes(rows);
  transpose_words(lanes.data(), real_slots_, reals.data());
  return load_integers(lanes, integers);
}

std::uint32_t RecordTable::load_lanes(std::span<const std::uint64_t> rows, std::span<double> reals,
                                      std::span<std::int32_t> integers) const {
  assert(precision_ == Precision::double_precision && reals.size() >= real_slots_ * kLanes);
  const Lanes lanes = find_lanes(rows);
  for (std::size_t slot = 0; slot < real_slots_; ++slot) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::memcpy(&reals[slot * kLanes + lane], lanes[lane] + 2 * slot, sizeof(double));
    }
  }
  return load_integers(lanes, integers);
}

}  // namespace dpvi
