#pragma once

#include <dpvi/stan/syntax/syntax_tree.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// Restricts how a program may use the number of records. One record's likelihood term is derived
// from runs on tables with none and with one record, so a program that behaves differently on a
// longer table would be misread. Tests on mock tables cannot cover every length. These rules track
// how a value was computed instead. They refuse a program (DP207) in which the number of records,
// or a record's position among them, decides a branch.

// A comparison must have the same result for every number of records from one on, and must not use
// a record's position.
void check_comparison(const CallContext& context, Operator op, const Value& left,
                      const Value& right);

// The iteration count of a loop whose bounds count records must be linear in that number and must
// not decrease.
void check_loop_ends(const CallContext& context, const Value& low, const Value& high);

// A distribution with the number of records as its variate or its number of trials does not
// factorise over records. (Values computed from that number are left to the tests on mock tables,
// which detect them.)
void check_distribution_argument(const CallContext& context, const Value& argument);

// Only a failure of the whole table may end a loop over records early.
[[noreturn]] void refuse_leaving_records(const CallContext& context);

}  // namespace dpvi
