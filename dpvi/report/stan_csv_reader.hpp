#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// Contents of a draws.csv that dpvi wrote.
struct StanDraws {
  bool is_private = false;           // from its dp_private line
  std::vector<std::string> columns;  // as written, with dots; without lp__, log_p__ and log_g__
  std::vector<double> at_location;   // the first row
  std::vector<std::vector<double>> draws;
};

// Throws an InputError that names `file`, line and column unless the text is a Stan CSV file of the
// variational kind with a dp_private line, numbers in all cells and at least one draw.
StanDraws parse_stan_csv(std::string_view text, const std::string& file);

}  // namespace dpvi
