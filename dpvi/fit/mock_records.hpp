#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// One made-up record as the table would give it: a number for each slot of the binding.
struct MockRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

// Records made of public facts alone. Numbers are normal with the declared mean and sd
// (log-normal near a lower bound), or uniform between declared bounds (binomial for whole numbers
// of which a mean is declared), levels of a category equally frequent; of what nothing is declared,
// reals are standard normal and counts small. Columns are independent of each other. They stand in
// for the private ones wherever something must be known of typical records beforehand.
std::vector<MockRecord> make_mock_records(const Binding& binding, std::size_t count,
                                          const SeededGenerator& generator);

// Columns of which neither a mean and sd nor both bounds nor levels are known, in the table's
// order: their made-up values are guesses.
std::vector<std::string> unknown_columns(const Binding& binding);

}  // namespace dpvi
