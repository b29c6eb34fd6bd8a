#pragma once

#include <string_view>

#include <dpvi/experiment/experiment_table.hpp>

namespace dpvi {

// The tables of Jalko, Dikmen & Honkela (2017), from the published files' texts. The first 80 % of
// the rows are for training, in file order. Columns of numbers are standardised with mean and
// standard deviation of ALL rows, test rows among them: that is how the paper did it, and it is not
// private. The standardised columns are declared to have mean 0 and standard deviation 1.

// Eight columns, Sex as I = 0, F = 1, M = 2; the outcome is rings >= 10.
ExperimentTable abalone_table(std::string_view abalone_data);

// 14 columns, texts coded by their place in alphabetical order ("?" is a text as others are); the
// outcome is an income above 50 000. The published code's own coding is lost.
ExperimentTable adult_label_coded(std::string_view adult_data, std::string_view adult_test);

// The same rows with categories as categories: one column of 0 and 1 for each of their levels.
ExperimentTable adult_one_hot(std::string_view adult_data, std::string_view adult_test);

}  // namespace dpvi
