#include <dpvi/data/record_table.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace dpvi {
namespace {

// The most records, as a power of two, that a piece of about 256 KiB holds.
unsigned choose_piece_bits(std::size_t words_per_record) {
  constexpr std::size_t kWordsPerPiece = std::size_t{1} << 15;
  const std::size_t records = std::max<std::size_t>(1, kWordsPerPiece / words_per_record);
  return static_cast<unsigned>(std::bit_width(records)) - 1;
}

std::uint64_t half_word(std::uint32_t value, std::size_t index) {
  return std::uint64_t{value} << (32 * (index % 2));
}

std::uint32_t half_of(std::uint64_t word, std::size_t index) {
  return static_cast<std::uint32_t>(word >> (32 * (index % 2)));
}

}  // namespace

RecordTable::RecordTable(std::size_t real_slots, std::size_t integer_slots)
    : real_slots_(real_slots),
      integer_slots_(integer_slots),
      words_per_record_(real_slots + integer_slots / 2 + 1),
      piece_bits_(choose_piece_bits(words_per_record_)),
      zero_record_(words_per_record_) {}

const std::uint64_t* RecordTable::record(std::uint64_t index) const {
  assert(index < record_count_);
  const std::uint64_t within = index & ((std::uint64_t{1} << piece_bits_) - 1);
  return pieces_[index >> piece_bits_].get() + within * words_per_record_;
}

std::uint64_t* RecordTable::next_record() {
  const std::uint64_t records_per_piece = std::uint64_t{1} << piece_bits_;
  const std::uint64_t within = record_count_ & (records_per_piece - 1);
  if (within == 0) {
    pieces_.push_back(std::make_unique<std::uint64_t[]>(records_per_piece * words_per_record_));
  }
  ++record_count_;
  return pieces_.back().get() + within * words_per_record_;
}

void RecordTable::append(std::span<const double> reals, std::span<const std::int32_t> integers) {
  assert(reals.size() == real_slots_ && integers.size() == integer_slots_);
  std::uint64_t* words = next_record();
  for (const double real : reals) *words++ = std::bit_cast<std::uint64_t>(real);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    words[i / 2] |= half_word(static_cast<std::uint32_t>(integers[i]), i);
  }
  words[integer_slots_ / 2] |= half_word(1, integer_slots_);
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
  constexpr std::size_t kWordsPerCacheLine = 8;
  for (const std::uint64_t index : records) {
    const std::uint64_t* words = record(index);
    for (std::size_t i = 0; i < words_per_record_; i += kWordsPerCacheLine) {
      __builtin_prefetch(words + i);
    }
    __builtin_prefetch(words + words_per_record_ - 1);
  }
}

std::uint32_t RecordTable::load_lanes(std::span<const std::uint64_t> records,
                                      std::span<double> reals,
                                      std::span<std::int32_t> integers) const {
  assert(records.size() <= kLanes);
  assert(reals.size() >= real_slots_ * kLanes && integers.size() >= integer_slots_ * kLanes);
  std::array<const std::uint64_t*, kLanes> lanes;
  lanes.fill(zero_record_.data());
  for (std::size_t lane = 0; lane < records.size(); ++lane) lanes[lane] = record(records[lane]);
  for (std::size_t slot = 0; slot < real_slots_; ++slot) {
    double* out = reals.data() + slot * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out[lane] = std::bit_cast<double>(lanes[lane][slot]);
    }
  }
  for (std::size_t slot = 0; slot < integer_slots_; ++slot) {
    std::int32_t* out = integers.data() + slot * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out[lane] = static_cast<std::int32_t>(half_of(lanes[lane][real_slots_ + slot / 2], slot));
    }
  }
  std::uint32_t usable = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    usable |= half_of(lanes[lane][real_slots_ + integer_slots_ / 2], integer_slots_) << lane;
  }
  return usable;
}

}  // namespace dpvi
