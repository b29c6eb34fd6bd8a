#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Names for the indices of one dimension of a variable; empty if they are only numbers.
using IndexNames = std::vector<std::string>;

// The levels of the category behind a variable of the data block, or none.
IndexNames levels_of(const Binding& binding, const std::string& variable);

// By variable and dimension, from 0: the levels of the category by which the program indexes it, as
// in a[ward]. In append_row(0, b)[ward], b has all levels but the first. The names are empty where
// categories with different levels are used.
using IndexedLevels = std::map<std::string, std::map<std::size_t, IndexNames>>;
IndexedLevels indexed_levels(const StanProgram& program, const Binding& binding);

}  // namespace dpvi
