#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Makes records from public facts alone. Columns are independent.
//
// Numbers are normal with the declared mean and sd (log-normal near a lower bound), or uniform
// between declared bounds (binomial for integers with a declared mean). Levels of a category have
// their declared shares, or are equally frequent. Without declared facts, reals are standard normal
// and counts are small. Mock records replace private ones wherever typical records must be known in
// advance.
std::vector<MockRecord> make_mock_records(const Binding& binding, std::size_t count,
                                          const SeededGenerator& generator);

// Makes the same records one after the other.
class MockRecordSource {
 public:
  // The binding must outlive this.
  MockRecordSource(const Binding& binding, const SeededGenerator& generator);
  ~MockRecordSource();
  MockRecordSource(MockRecordSource&&) noexcept;

  MockRecord next();

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

// Returns the columns with neither a mean and sd, nor both bounds, nor levels, in table order.
// Their mock values are guesses.
std::vector<std::string> unknown_columns(const Binding& binding);

}  // namespace dpvi
