#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/fit/mock/mock_outcomes.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/prepare/prior_sample.hpp>

namespace dpvi {

// True parameters from the prior and mock tables that the program makes with them. Everything
// follows from the program, the schema and a public seed; no record is read.
class MockTruths {
 public:
  // Throws InputError if the program cannot draw its data or its prior has no value. `bound` must
  // outlive this.
  MockTruths(const BoundModel& bound, std::uint64_t seed);

  const PriorSample& prior() const { return prior_; }
  // The variables that the program draws.
  std::vector<std::string> outcomes() const;
  // Share of draws from the prior whose records agree with what the schema declares about the
  // outcomes. Truths are drawn from these, or from all if there are none.
  double agreeing_share() const;

  // Mock table `table` has the same parameters whatever its number of rows.
  std::span<const double> theta(std::size_t table) const;
  std::vector<MockRecord> rows(std::size_t table, std::size_t count) const;
  // Appends the rows as a reader would; units have one to their largest number of rows.
  void append(std::size_t table, std::span<const MockRecord> rows, PreparedRecords& records) const;

 private:
  bool agrees(std::span<const double> theta, const std::vector<MockRecord>& covariates) const;
  // Draws the outcomes whatever the declared bounds. Returns how many records they allow.
  double draw_unbounded(std::span<const double> theta, std::vector<MockRecord>& records) const;
  bool is_allowed(const MockRecord& record) const;
  void draw(std::span<const double> theta, std::vector<MockRecord>& records,
            const SeededGenerator& generator) const;

  const BoundModel& bound_;
  std::uint64_t seed_;
  OutcomeSimulator simulator_;
  StanModelOptions options_;
  std::optional<GeneratedDraws> program_;  // if the model block gives outcomes no law
  std::vector<Replicate> replicates_;
  PriorSample prior_;
  std::vector<std::size_t> agreeing_;  // places in the sample
};

}  // namespace dpvi
