#pragma once

#include <map>
#include <string>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/indexed_levels.hpp>

namespace dpvi {

// For each variable of the program outside its data: names for each of its dimensions. A dimension
// of size J has the levels of the category that the program declares with upper bound J. A
// dimension of size K has the columns, or dummy levels, of the record data that the program
// declares with K numbers for each record. Other dimensions have the levels of the category that
// the program indexes them by, if there are as many. Levels are declared and the header is public.
std::map<std::string, std::vector<IndexNames>> level_names(const BoundModel& bound);

}  // namespace dpvi
