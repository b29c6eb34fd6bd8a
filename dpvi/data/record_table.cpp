#include <dpvi/data/record_table.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include <dpvi/data/lane_transpose.hpp>

namespace dpvi {
namespace {

// The most records, as a power of two, that a piece of about 256 KiB holds.
unsigned choose_piece_bits(std::size_t words_per_record) {
  constexpr std::size_t kWordsPerPiece = std::size_t{1} << 16;
  const std::size_t records = std::max<std::size_t>(1, kWordsPerPiece / words_per_record);
  return static_cast<unsigned>(std::bit_width(records)) - 1;
}

}  // namespace

RecordTable::RecordTable(std::size_t real_slots, std::size_t integer_slots, Precision precision)
    : real_slots_(real_slots),
      integer_slots_(integer_slots),
      precision_(precision),
      words_per_record_(words_of_reals() + integer_slots + 1),
      piece_bits_(choose_piece_bits(words_per_record_)),
      zero_record_(words_per_record_) {}

std::size_t RecordTable::words_of_reals() const {
  return precision_ == Precision::single_precision ? real_slots_ : 2 * real_slots_;
}

const std::uint32_t* RecordTable::record(std::uint64_t index) const {
  assert(index < record_count_);
  const std::uint64_t within = index & ((std::uint64_t{1} << piece_bits_) - 1);
  return pieces_[index >> piece_bits_].get() + within * words_per_record_;
}

std::uint32_t* RecordTable::next_record() {
  const std::uint64_t records_per_piece = std::uint64_t{1} << piece_bits_;
  const std::uint64_t within = record_count_ & (records_per_piece - 1);
  if (within == 0) {
    pieces_.push_back(std::make_unique<std::uint32_t[]>(records_per_piece * words_per_record_));
  }
  ++record_count_;
  return pieces_.back().get() + within * words_per_record_;
}

void RecordTable::append(std::span<const double> reals, std::span<const std::int32_t> integers) {
  assert(reals.size() == real_slots_ && integers.size() == integer_slots_);
  std::uint32_t* words = next_record();
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

void RecordTable::append_unusable() { next_record(); }

void RecordTable::forget_before(std::uint64_t record) {
  const auto whole_pieces = static_cast<std::ptrdiff_t>(record >> piece_bits_);
  for (std::ptrdiff_t piece = whole_pieces - 1; piece >= 0; --piece) {
    auto& memory = pieces_[static_cast<std::size_t>(piece)];
    if (memory == nullptr) return;
    memory.reset();
  }
}

void RecordTable::prefetch(std::span<const std::uint64_t> records) const {
  constexpr std::size_t kWordsPerCacheLine = 16;
  for (const std::uint64_t index : records) {
    const std::uint32_t* words = record(index);
    for (std::size_t i = 0; i < words_per_record_; i += kWordsPerCacheLine) {
      __builtin_prefetch(words + i);
    }
    __builtin_prefetch(words + words_per_record_ - 1);
  }
}

RecordTable::Lanes RecordTable::find_lanes(std::span<const std::uint64_t> records) const {
  assert(records.size() <= kLanes);
  Lanes lanes;
  lanes.fill(zero_record_.data());
  for (std::size_t lane = 0; lane < records.size(); ++lane) lanes[lane] = record(records[lane]);
  return lanes;
}

std::uint32_t RecordTable::load_integers(Lanes lanes, std::span<std::int32_t> integers) const {
  assert(integers.size() >= integer_slots_ * kLanes);
  std::uint32_t usable = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    usable |= lanes[lane][words_per_record_ - 1] << lane;
    lanes[lane] += words_of_reals();
  }
  transpose_words(lanes.data(), integer_slots_, integers.data());
  return usable;
}

std::uint32_t RecordTable::load_lanes(std::span<const std::uint64_t> records,
                                      std::span<float> reals,
                                      std::span<std::int32_t> integers) const {
  assert(precision_ == Precision::single_precision && reals.size() >= real_slots_ * kLanes);
  const Lanes lanes = find_lanes(records);
  transpose_words(lanes.data(), real_slots_, reals.data());
  return load_integers(lanes, integers);
}

std::uint32_t RecordTable::load_lanes(std::span<const std::uint64_t> records,
                                      std::span<double> reals,
                                      std::span<std::int32_t> integers) const {
  assert(precision_ == Precision::double_precision && reals.size() >= real_slots_ * kLanes);
  const Lanes lanes = find_lanes(records);
  for (std::size_t slot = 0; slot < real_slots_; ++slot) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::memcpy(&reals[slot * kLanes + lane], lanes[lane] + 2 * slot, sizeof(double));
    }
  }
  return load_integers(lanes, integers);
}

}  // namespace dpvi
