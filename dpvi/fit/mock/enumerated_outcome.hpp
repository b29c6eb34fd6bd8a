#pragma once

#include <memory>
#include <optional>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/outcome_source.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Draws an outcome that is one integer from the probabilities that the record's density gives its
// values, whatever the form of the density: zero-inflated counts, hurdles, the user's own
// functions.
class EnumeratedOutcome : public OutcomeSource {
 public:
  // Values are tried from `lowest` up to `highest`.
  EnumeratedOutcome(const RecordModel& model, std::int32_t column, std::int32_t lowest,
                    std::int32_t highest);

  std::span<const RecordColumn> columns() const override { return {&column_, 1}; }
  std::unique_ptr<OutcomeBlock> block(std::span<const double> theta) const override;
  std::vector<bool> run(std::span<const double> theta, std::span<MockRecord> records,
                        const SeededGenerator& generator,
                        const AllowedNumber& allowed) const override;

 private:
  class Block;

  std::shared_ptr<const Graph> graph_;
  RecordTape tape_;
  RecordColumn column_;
  std::int32_t lowest_;
  std::int32_t highest_;
};

// The enumeration of the program's only outcome; null if it has several or if the outcome is not
// one integer. Values start at the declared lower bound, or at 0.
std::unique_ptr<EnumeratedOutcome> enumerate_outcome(const RecordModel& model,
                                                     const Binding& binding);

}  // namespace dpvi
