#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// Contents of a draws.csv that dpvi wrote.
struct StanDraws {
  bool is_private = false;           // from its dp_private line
  std::vector<std::string> columns;  // as written, with dots; without Stan's own, such as lp__
  std::vector<double> at_location;   // the first row of independent draws
  std::vector<std::vector<double>> draws;
  // Number of equally long Markov chains that the draws are, one after another; 0 if the draws are
  // independent.
  std::size_t chains = 0;
};

// Throws an InputError that names `file`, line and column unless the text is a Stan CSV file of one
// of the kinds that stan_csv writes, with a dp_private line, numbers in all cells and at least one
// draw.
StanDraws parse_stan_csv(std::string_view text, const std::string& file);

}  // namespace dpvi
