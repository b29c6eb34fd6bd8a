#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// One made-up record as the table would give it: a number for each slot of the binding.
struct MockRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

// Records made of public facts alone: reals normal with the declared mean and sd, uniform between
// declared bounds, or standard normal; integers uniform between their bounds, or small counts. They
// stand in for the private ones wherever something must be known of typical records beforehand.
std::vector<MockRecord> make_mock_records(const Binding& binding, std::size_t count,
                                          const SeededGenerator& generator);

}  // namespace dpvi
