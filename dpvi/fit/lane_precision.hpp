#pragma once

#include <dpvi/base/precision.hpp>
#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// The precision in which a private fit keeps and evaluates its records: single, unless gradients of
// made-up records differ from those in double by more than a thousandth of their size. Rounding a
// record's gradient costs accuracy and never privacy: what a record adds is checked in integers.
// Public: depends on the program, the binding's declared facts and a fixed seed alone.
Precision choose_lane_precision(const RecordModel& model, const Binding& binding);

}  // namespace dpvi
