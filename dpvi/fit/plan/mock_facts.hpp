#pragma once

#include <optional>
#include <span>
#include <string>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// A column about which too little is declared for mock records to resemble real ones, and what to
// declare. `outcomes` are the variables whose values the program itself can draw.
//
// A posterior from measurements compares releases with what mock records would give. If a covariate
// is a hundred times smaller than its mock values, that comparison is wrong and does not notice.
struct MissingMockFact {
  std::string column;
  std::string fact;  // "sd" or "mean"
};

// The first such column in the order of the program; nullopt if enough is declared.
std::optional<MissingMockFact> missing_mock_fact(const Binding& binding,
                                                 std::span<const std::string> outcomes);

}  // namespace dpvi
