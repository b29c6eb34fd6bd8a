#pragma once

#include <dpvi/base/precision.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Precision in which a private fit stores and evaluates its records. It is single unless gradients
// of mock records differ from those in double by more than a thousandth of their size. Rounding a
// record's gradient costs accuracy and never privacy: a record's contribution is checked in
// integers. The choice is public: it depends only on the program, the declared facts of the binding
// and a fixed seed.
Precision choose_lane_precision(const RecordModel& model, const Binding& binding);

}  // namespace dpvi
