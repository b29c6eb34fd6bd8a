#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/fit/mock/outcome_law.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Gradients of mock records in theta, one row per record. A record whose log density is not finite
// has a row of zeros.
struct MockScores {
  // Of each value that the outcome can have, or of the record's own outcome alone.
  std::vector<Eigen::MatrixXd> gradients;
  std::vector<Eigen::VectorXd> log_densities;
  // For each record: the place of its own outcome among these. Empty if any of them may be the own
  // one, with equal probabilities.
  std::vector<std::size_t> own;

  // The rows of the records' own outcomes; if any may be the own one, of all in turn.
  Eigen::MatrixXd own_gradients() const;
};

// Mock records whose outcomes are drawn from the program at a point: what private records would
// look like if the program were true there. Everything about them is public.
class MockPopulation {
 public:
  // `model` must outlive this object. `law` is used if it has columns, else `simulator`. Without
  // either, outcomes follow the declared facts and redraw() does nothing. A simulator draws
  // `exchangeable` outcomes for each record.
  MockPopulation(const RecordModel& model, const Binding& binding, const OutcomeLaw& law,
                 std::shared_ptr<const OutcomeSimulator> simulator, std::size_t count,
                 std::size_t exchangeable = 1);
  ~MockPopulation();

  std::size_t size() const;
  // True if outcomes come from the program.
  bool has_law() const { return law_ || simulator_ != nullptr; }

  // Draws all outcomes at theta, always from the same random numbers.
  void redraw(std::span<const double> theta);
  // Draws the outcomes of a share of the records at each point, from the same random numbers again.
  void redraw(std::span<const std::vector<double>> points);

  MockScores scores(std::span<const double> theta) const;

  // The rows with their outcomes. With a law, the outcomes are MockScores::own instead.
  const std::vector<MockRecord>& rows() const { return rows_; }

 private:
  // Draws the outcomes of a share of the records at each point.
  void simulate(std::span<const std::vector<double>> points, std::uint64_t seed);

  const RecordModel& model_;
  std::vector<MockRecord> rows_;
  std::size_t rows_of_one_;
  std::optional<OutcomeColumns> law_;
  std::shared_ptr<const OutcomeSimulator> simulator_;
  std::vector<RecordTable> tables_;  // one for each outcome of a record
  std::vector<std::size_t> own_;
};

// How many points share the records of a population if its outcomes are drawn at several points.
inline constexpr std::size_t kOutcomePoints = 16;

}  // namespace dpvi
