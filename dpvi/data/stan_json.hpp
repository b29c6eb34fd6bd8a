#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/data/public_data.hpp>

namespace dpvi {

// One variable of a Stan JSON file, its cells as they are written. What a cell means is decided
// where it is known to be public or not.
class JsonVariable {
 public:
  std::vector<std::size_t> dimensions;  // empty for a scalar; [] has one dimension of 0
  SourcePlace place;

  std::size_t size() const { return ends_.size(); }
  std::string_view cell(std::size_t index) const;  // last index fastest
  void append(std::string_view text);

 private:
  std::string texts_;  // all cells in one piece
  std::vector<std::size_t> ends_;
};

using JsonData = std::map<std::string, JsonVariable, std::less<>>;

// Numbers may be of any size, also NaN and Infinity as bare words or "NaN", "Inf", "-Inf"; null is
// an empty cell, and any other bare word a cell that spells no number. What is no JSON object, or
// names a variable twice, is refused as DP330 with line and column; lists of unequal lengths as
// DP331.
// Guarantee: what a string or a bare word contains never decides whether a file is read, and no
// message quotes the file.
JsonData read_stan_json(const std::string& path);
JsonData parse_stan_json(std::string_view text, const std::string& file);

// The same with the values of some variables only: the others have a name and a place, and neither
// cells nor dimensions.
using WantsValue = std::function<bool(const std::string& name)>;
JsonData read_stan_json(const std::string& path, const WantsValue& wants_value);
JsonData parse_stan_json(std::string_view text, const std::string& file,
                         const WantsValue& wants_value);

// The variable as public numbers. Refuses (DP333) a cell that is no number. Messages use `name`,
// which is a name of the program, or empty: names that only the file has are not quoted.
PublicValue public_value(const std::string& name, const JsonVariable& variable);

}  // namespace dpvi
