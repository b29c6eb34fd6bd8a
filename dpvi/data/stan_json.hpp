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

// One variable of a Stan JSON file with its cells as written. Cells are interpreted later, where it
// is known whether they are public.
class JsonVariable {
 public:
  std::vector<std::size_t> dimensions;  // empty for a scalar; [] has one dimension of 0
  SourcePlace place;

  std::size_t size() const { return ends_.size(); }
  std::string_view cell(std::size_t index) const;  // last index fastest
  void append(std::string_view text);

 private:
  std::string texts_;  // all cells, concatenated
  std::vector<std::size_t> ends_;
};

using JsonData = std::map<std::string, JsonVariable, std::less<>>;

// Reads a JSON object of Stan data. Numbers may have any magnitude, including NaN and Infinity as
// bare words or "NaN", "Inf", "-Inf". null is an empty cell; any other bare word is a cell that is
// not a number. Text that is not a JSON object, or repeats a variable, is refused as DP330 with
// line and column; lists of unequal lengths as DP331.
//
// Guarantee: the contents of a string or bare word never decide whether a file is accepted, and no
// message quotes the file.
JsonData read_stan_json(const std::string& path);
JsonData parse_stan_json(std::string_view text, const std::string& file);

// Reads the values of selected variables only. The others have a name and a place, but neither
// cells nor dimensions.
using WantsValue = std::function<bool(const std::string& name)>;
JsonData read_stan_json(const std::string& path, const WantsValue& wants_value);
JsonData parse_stan_json(std::string_view text, const std::string& file,
                         const WantsValue& wants_value);

// Converts a variable to public numbers. Refuses (DP333) a cell that is not a number. Messages use
// `name`, which is a program variable or empty: names that occur only in the file are not quoted.
PublicValue public_value(const std::string& name, const JsonVariable& variable);

}  // namespace dpvi
