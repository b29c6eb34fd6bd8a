#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// Generates mock records that fit the program's declarations and the declared facts, and standard
// normal numbers. The same seed gives the same records; they depend on nothing private.
class MockRecordGenerator {
 public:
  MockRecordGenerator(std::vector<RecordVariable> columns, const RecordFacts& facts,
                      std::uint64_t seed);

  ProgramRecord next();
  // A record with values that may take rare branches: at and near the thresholds, far outside the
  // usual range, or equal to those of the previous record. The bounds declared in the program hold.
  ProgramRecord next_unusual(std::span<const double> thresholds, const ProgramRecord& before);
  // Values for one variable, last index fastest.
  std::vector<double> numbers_for(const RecordVariable& columns);
  double standard_normal();
  double uniform();
  // One of the thresholds, or a number near it; 0 if there are none.
  double near_threshold(std::span<const double> thresholds);

 private:
  double real_number(const RecordVariable& columns, std::int32_t at);
  double integer(const RecordVariable& columns);
  double unusual(const RecordVariable& columns, double usual, std::span<const double> thresholds);
  void make_special(const RecordVariable& columns, double* numbers);

  std::vector<RecordVariable> columns_;
  const RecordFacts& facts_;
  std::uint64_t state_;
};

}  // namespace dpvi
