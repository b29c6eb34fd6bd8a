#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/base/precision.hpp>

namespace dpvi {

// The sensitive records as the trainer reads them. A record lies in one piece: its real slots, its
// integer slots, and whether it is usable. One that is not has only zeros and must contribute zero;
// nothing here counts such records, and nothing should.
class RecordTable {
 public:
  static constexpr std::size_t kLanes = 16;

  // Reals are rounded to the precision they are kept in; those too large for it become infinite.
  RecordTable(std::size_t real_slots, std::size_t integer_slots,
              Precision precision = Precision::double_precision);

  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable();

  // Gives back the memory of records that nobody will ask for again: those before `record`, or most
  // of them.
  void forget_before(std::uint64_t record);

  std::uint64_t record_count() const { return record_count_; }
  std::size_t real_slots() const { return real_slots_; }
  std::size_t integer_slots() const { return integer_slots_; }
  Precision precision() const { return precision_; }

  // Asks for the records to be brought near, some microseconds before load_lanes needs them.
  void prefetch(std::span<const std::uint64_t> records) const;

  // Writes at most kLanes records side by side: reals[slot * kLanes + lane] and likewise integers.
  // Lanes without a record, and those of unusable records, are zero. Bit l of the result says that
  // lane l holds a usable record. Only in the table's own precision.
  // Guarantee: what a lane holds depends on its own record alone.
  std::uint32_t load_lanes(std::span<const std::uint64_t> records, std::span<float> reals,
                           std::span<std::int32_t> integers) const;
  std::uint32_t load_lanes(std::span<const std::uint64_t> records, std::span<double> reals,
                           std::span<std::int32_t> integers) const;

 private:
  using Lanes = std::array<const std::uint32_t*, kLanes>;
  Lanes find_lanes(std::span<const std::uint64_t> records) const;
  std::uint32_t load_integers(Lanes lanes, std::span<std::int32_t> integers) const;

  // Words of 4 bytes: one or two per real, then one per integer and one for the usable flag.
  const std::uint32_t* record(std::uint64_t index) const;
  std::uint32_t* next_record();
  std::size_t words_of_reals() const;

  std::size_t real_slots_;
  std::size_t integer_slots_;
  Precision precision_;
  std::size_t words_per_record_;
  std::uint64_t record_count_ = 0;
  // Pieces of 2^piece_bits_ records, so that a growing table is never copied.
  unsigned piece_bits_;
  std::vector<std::unique_ptr<std::uint32_t[]>> pieces_;
  std::vector<std::uint32_t> zero_record_;
};

}  // namespace dpvi
