#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>

namespace dpvi {

// The law that a program gives the outcome of a record, given the rest of the record. Conditionally
// unbiased clipping needs it.
struct OutcomeLaw {
  std::optional<OutcomeColumns> columns;  // nullopt: there is no law that clipping can use
  std::string description;                // the law in words, or the reason why there is none
};

// A law is accepted if the outcome is one integer of the record with few possible values and if the
// mean gradient under the law is zero, at mock records and several draws from the prior. The result
// is public: it depends only on the program, the declared facts of the binding and fixed seeds.
OutcomeLaw find_outcome_law(const RecordModel& model, const Binding& binding);

// For each record: the norm of its longest gradient over the values of the outcome, in working
// coordinates. Records for which it is zero or not finite are left out. In increasing order.
std::vector<double> longest_gradients(const RecordModel& model, std::vector<MockRecord> records,
                                      const OutcomeColumns& outcome, const Coordinates& coordinates,
                                      std::span<const double> theta);

}  // namespace dpvi
