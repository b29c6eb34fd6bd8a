#pragma once

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/outcome_source.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// True if the mean gradient of a record under the simulated law is zero, given the rest of the
// record: at mock records, and at several draws from the prior and points near zero. Means are
// compared with their standard errors, so that a right law is practically never refused.
//
// The result is public: it depends on the program, the declared facts and fixed seeds.
bool has_zero_mean_gradient(const RecordModel& model, const Binding& binding,
                            const OutcomeSource& source);

}  // namespace dpvi
