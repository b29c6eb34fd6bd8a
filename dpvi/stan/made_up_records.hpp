#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/stan/program_run.hpp>

namespace dpvi {

// A stream of records that fit the program's declarations and the declared facts, and of plain
// standard normal numbers. The same seed gives the same records; they depend on nothing private.
class RecordInventor {
 public:
  RecordInventor(std::vector<RecordVariable> columns, const RecordFacts& facts, std::uint64_t seed);

  MadeUpRecord next();
  // A record with values that programs may treat apart: at and around the landmarks, far outside
  // the usual range, or those of the record before. Declared bounds hold.
  MadeUpRecord next_unusual(std::span<const double> landmarks, const MadeUpRecord& before);
  // Numbers for one variable, last index fastest.
  std::vector<double> numbers_for(const RecordVariable& columns);
  double standard_normal();
  double uniform();
  // One of the landmarks, or a number near it; 0 if there is none.
  double near_landmark(std::span<const double> landmarks);

 private:
  double real_number(const RecordVariable& columns, std::int32_t at);
  double integer(const RecordVariable& columns);
  double unusual(const RecordVariable& columns, double usual, std::span<const double> landmarks);
  void make_special(const RecordVariable& columns, double* numbers);

  std::vector<RecordVariable> columns_;
  const RecordFacts& facts_;
  std::uint64_t state_;
};

}  // namespace dpvi
