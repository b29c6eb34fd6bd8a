#include <dpvi/fit/prepare/prepared_records.hpp>

#include <algorithm>
#include <cstring>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/joined_rows.hpp>

namespace dpvi {
namespace {

RecordTable empty_table(const RecordTape& tape, Precision precision,
                        const std::optional<OutcomeColumns>& outcome) {
  if (outcome) return {outcome->real_slots(tape), outcome->int_slots(tape), precision};
  return {static_cast<std::size_t>(tape.real_columns()),
          static_cast<std::size_t>(tape.int_columns()), precision};
}

}  // namespace

PreparedRecords::PreparedRecords(const RecordTape& tape, Precision precision,
                                 std::optional<OutcomeColumns> outcome)
    : preparer_(tape),
      outcome_(std::move(outcome)),
      table_(empty_table(tape, precision, outcome_)),
      reals_(table_.real_slots()),
      integers_(table_.integer_slots()),
      other_reals_(static_cast<std::size_t>(tape.real_columns())),
      other_integers_(static_cast<std::size_t>(tape.int_columns())) {}

PreparedRecords::PreparedRecords(const RecordTape& tape, Precision precision,
                                 const RecordWidth& as_read)
    : preparer_(tape),
      as_read_(as_read),
      table_(static_cast<std::size_t>(tape.real_columns()),
             static_cast<std::size_t>(tape.int_columns()) + as_read.slots(), precision),
      reals_(table_.real_slots()),
      integers_(table_.integer_slots()) {}

PreparedRecords::PreparedRecords(const RecordTape& tape, Precision precision,
                                 std::shared_ptr<const OutcomeBins> bins)
    : preparer_(tape),
      bins_(std::move(bins)),
      table_(static_cast<std::size_t>(tape.real_columns()),
             static_cast<std::size_t>(tape.int_columns()) + bins_->histograms(), precision),
      reals_(table_.real_slots()),
      integers_(table_.integer_slots()) {}

PreparedRecords::PreparedRecords(const RecordTape& tape, Precision precision, const UnitWidth& unit)
    : preparer_(tape),
      unit_(unit),
      rows_of_units_(std::in_place, unit.reals, unit.integers),
      table_(empty_table(tape, precision, std::nullopt)),
      reals_(table_.real_slots()),
      integers_(table_.integer_slots()) {}

RecordTable PreparedRecords::gathered() && {
  if (!rows_of_units_) return std::move(table_).gathered();
  const RecordTable rows = std::move(*rows_of_units_).gathered();
  join_rows(rows, *unit_,
            [&](std::span<const double> reals, std::span<const std::int32_t> integers) {
              if (integers.empty()) return table_.append_unusable();
              preparer_.prepare({reals, integers}, reals_.data(), integers_.data());
              table_.append(reals_, integers_);
            });
  return std::move(table_);
}

void PreparedRecords::append(std::span<const double> reals,
                             std::span<const std::int32_t> integers) {
  if (rows_of_units_) return rows_of_units_->append(reals, integers);
  if (outcome_) {
    const std::int32_t own = integers[static_cast<std::size_t>(outcome_->integer)];
    if (own < outcome_->lowest || own > outcome_->highest) return append_unusable();
    set_other_outcomes(reals, integers);
  }
  if (as_read_) set_as_read(reals, integers);
  if (bins_) bins_->sort(reals, integers, std::span(integers_).last(bins_->histograms()));
  preparer_.prepare({reals, integers}, reals_.data(), integers_.data());
  table_.append(reals_, integers_);
}

// The layout of RecordWidth. Zeros are stored as +0, so that equal rows have equal bytes.
void PreparedRecords::set_as_read(std::span<const double> reals,
                                  std::span<const std::int32_t> integers) {
  if (reals.size() != as_read_->reals || integers.size() != as_read_->integers) {
    throw InternalError(kInternal, "a row has another width than its model.",
                        "Report this message.");
  }
  std::int32_t* to = integers_.data() + (integers_.size() - as_read_->slots());
  for (const double real : reals) {
    const double stored = real + 0.0;
    std::memcpy(to, &stored, sizeof stored);
    to += 2;
  }
  std::copy(integers.begin(), integers.end(), to);
}

void PreparedRecords::set_other_outcomes(std::span<const double> reals,
                                         std::span<const std::int32_t> integers) {
  changed_.assign(integers.begin(), integers.end());
  std::int32_t& value = changed_[static_cast<std::size_t>(outcome_->integer)];
  const std::int32_t own = value;
  double* next_real = reals_.data() + other_reals_.size();
  std::int32_t* next_integer = integers_.data() + other_integers_.size();
  for (value = outcome_->lowest; value <= outcome_->highest; ++value) {
    if (value == own) continue;
    preparer_.prepare({reals, changed_}, other_reals_.data(), other_integers_.data());
    for (const std::int32_t column : outcome_->columns.reals) {
      *next_real++ = other_reals_[static_cast<std::size_t>(column)];
    }
    for (const std::int32_t column : outcome_->columns.ints) {
      *next_integer++ = other_integers_[static_cast<std::size_t>(column)];
    }
  }
}

}  // namespace dpvi
