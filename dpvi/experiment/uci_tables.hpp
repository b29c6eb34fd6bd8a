#pragma once

#include <string_view>

#include <dpvi/experiment/experiment_table.hpp>

namespace dpvi {

// The tables of Jalko, Dikmen & Honkela (2017), from the texts of the published files. Training
// rows are the first 80 % of the rows, in file order. Numeric columns are standardised with the
// mean and standard deviation of ALL rows, including test rows. The paper did so; it is not
// private. The standardised columns are declared to have mean 0 and standard deviation 1.

// Eight columns, with Sex coded as I = 0, F = 1, M = 2. The outcome is rings >= 10.
ExperimentTable abalone_table(std::string_view abalone_data);

// 14 columns, with texts coded by alphabetical rank ("?" is a text like any other). The outcome is
// an income above 50 000. The coding of the published code is lost.
ExperimentTable adult_label_coded(std::string_view adult_data, std::string_view adult_test);

// The same rows with categorical columns, coded as one column of 0 and 1 for each level.
ExperimentTable adult_one_hot(std::string_view adult_data, std::string_view adult_test);

}  // namespace dpvi
