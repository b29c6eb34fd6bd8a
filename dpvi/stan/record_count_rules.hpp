#pragma once

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// What a program may do with the number of records. One record's contribution is found on tables of
// none and of one, so a program that runs another way on a longer table would be taken for what it
// is not. Tests on made-up tables cannot reach every length; these rules look at how a value was
// computed instead, and refuse (DP207) where the number of records, or a record's place among them,
// decides which way the program goes.

// A comparison must come out the same for every number of records from one on, and must not look at
// a record's place.
void check_comparison(const CallContext& context, Operator op, const Value& left,
                      const Value& right);

// A loop whose ends count records must have as many rounds more for each record more.
void check_loop_ends(const CallContext& context, const Value& low, const Value& high);

// A distribution of the number of records, or of so many trials, is no sum over records. (What is
// computed further from the number is left to tests on made-up tables: they show it.)
void check_distribution_argument(const CallContext& context, const Value& argument);

// Nothing but a whole table's failure may end a loop over records early.
[[noreturn]] void refuse_leaving_records(const CallContext& context);

}  // namespace dpvi
