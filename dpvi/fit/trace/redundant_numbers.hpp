#pragma once

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/plan/trace_plan.hpp>

namespace dpvi {

// True if some release coordinates can shift together without changing the density of any record,
// as an intercept and the effects of all groups can. Releases tell nothing about such a shift, and
// measurements of the single coordinates are then far too uncertain. Decided by mock records alone.
bool has_redundant_numbers(const TracePlan& plan, const Binding& binding);

}  // namespace dpvi
