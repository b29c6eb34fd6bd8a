#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <dpvi/stan/syntax/source_text.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/value/value.hpp>

namespace dpvi {

// A call of a density of record data, or of a distribution function, during one run.
struct DensitySite {
  const DensityRow* row = nullptr;
  std::string_view suffix;       // "_lpdf", "_lccdf", ...
  std::vector<Value> arguments;  // the variate first
  // Limits of a truncated ~ statement.
  std::optional<Value> lower, upper;
  Spot spot;
};

// All such calls of one run. In place of its value, call i has a symbol: the real column
// `first_column` + i, beyond the columns of the record. The terms of the run thus show how the
// program combines densities.
struct DensitySites {
  std::vector<DensitySite> sites;
  std::int32_t first_column = 0;
};

}  // namespace dpvi
