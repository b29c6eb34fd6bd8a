#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/outcome_source.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Draws the outcomes of mock records from the law that the program's model block gives them, at any
// theta and given the rest of the record.
//
// A law is accepted only if the mean gradient of a record under it is zero (outcome_check.hpp). The
// result is public: it depends on the program, the declared facts of the binding and fixed seeds.
class OutcomeSimulator {
 public:
  // Copies what it needs of the two.
  OutcomeSimulator(const RecordModel& model, const Binding& binding);
  // The same law for a model of the same records in other coordinates. It is not checked again.
  OutcomeSimulator(const OutcomeSimulator& accepted, const RecordModel& model);

  bool found() const { return source_ != nullptr; }
  // The law in words, or the reason why there is none.
  const std::string& description() const { return description_; }
  // The data variables that have a law, in the order of the data block. Empty if none was found.
  const std::vector<std::string>& outcomes() const { return outcomes_; }

  // The numbers of a record that are drawn, and draws of them without declared bounds. The law must
  // have been found.
  std::span<const RecordColumn> columns() const { return source_->columns(); }
  std::unique_ptr<OutcomeBlock> block(std::span<const double> theta) const {
    return source_->block(theta);
  }

  // Replaces the outcomes of each record by a draw at theta. A draw that violates the bounds of the
  // program or the schema is repeated a few times. If no draw is possible, the record keeps its
  // outcomes. A record's draws depend on the generator and its place in the list. The law must have
  // been found.
  void simulate(std::span<const double> theta, std::vector<MockRecord>& records,
                const SeededGenerator& generator) const;

 private:
  void accept(const RecordModel& model, std::unique_ptr<const OutcomeSource> source,
              std::vector<std::string> outcomes, const std::string& description);
  bool is_allowed(const RecordColumn& column, double number) const;

  std::unique_ptr<const OutcomeSource> source_;
  std::string description_;
  std::vector<std::string> outcomes_;
  Binding binding_;
  bool by_steps_ = false;
};

}  // namespace dpvi
