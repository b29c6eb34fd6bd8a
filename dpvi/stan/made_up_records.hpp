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
  // Numbers for one variable, last index fastest.
  std::vector<double> numbers_for(const RecordVariable& columns);
  double standard_normal();

 private:
  double uniform();
  double real_number(const RecordVariable& columns, std::int32_t at);
  double integer(const RecordVariable& columns);
  void make_special(const RecordVariable& columns, double* numbers);

  std::vector<RecordVariable> columns_;
  const RecordFacts& facts_;
  std::uint64_t state_;
};

}  // namespace dpvi
