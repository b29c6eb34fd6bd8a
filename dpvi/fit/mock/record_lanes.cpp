#include <dpvi/fit/mock/record_lanes.hpp>

namespace dpvi {

RecordLanes::RecordLanes(const RecordTape& tape, std::span<const double> theta)
    : tape_(tape),
      workspace_(tape),
      preparer_(tape),
      reals_(static_cast<std::size_t>(tape.real_columns()) * kLanes),
      ints_(static_cast<std::size_t>(tape.int_columns()) * kLanes),
      row_reals_(static_cast<std::size_t>(tape.real_columns())),
      row_ints_(static_cast<std::size_t>(tape.int_columns())) {
  tape.begin_draw(workspace_, theta);
}

LaneBlock<double> RecordLanes::prepared(std::span<const MockRecord> records) {
  double* const reals = reals_.data();
  for (std::size_t lane = 0; lane < records.size(); ++lane) {
    preparer_.prepare({records[lane].reals, records[lane].integers}, row_reals_.data(),
                      row_ints_.data());
    for (std::size_t i = 0; i < row_reals_.size(); ++i) reals[i * kLanes + lane] = row_reals_[i];
    for (std::size_t i = 0; i < row_ints_.size(); ++i) ints_[i * kLanes + lane] = row_ints_[i];
  }
  return {reals, ints_.data()};
}

const double* RecordLanes::values(std::span<const MockRecord> records) {
  tape_.evaluate_block_value(workspace_, prepared(records), values_);
  return values_;
}

const double* RecordLanes::gradients(std::span<const MockRecord> records) {
  gradients_.resize(static_cast<std::size_t>(tape_.theta_size()) * kLanes);
  tape_.evaluate_block(workspace_, prepared(records), values_, gradients_.data());
  return gradients_.data();
}

}  // namespace dpvi
