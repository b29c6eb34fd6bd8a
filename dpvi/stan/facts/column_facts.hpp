#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace dpvi {

// Facts that the schema declares about one column of record data. Programs read them by mean(x)
// etc.
struct ColumnFacts {
  std::optional<double> mean = {};
  std::optional<double> sd = {};
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};

// Keyed by data variable, with one entry for each of its columns (one for a scalar per record).
using RecordFacts = std::map<std::string, std::vector<ColumnFacts>>;

// Facts about quantities that a program computes from the records, such as mean(log(x)). The key is
// the line and column of the call and the number of earlier evaluations of that call.
using FactCall = std::tuple<std::uint32_t, std::uint32_t, int>;
using ComputedFacts = std::map<FactCall, double>;

// Computes the facts of every width-th number, starting at `first`. All facts are empty if there
// are no numbers.
ColumnFacts facts_of(std::span<const double> numbers, std::size_t first = 0, std::size_t width = 1);

}  // namespace dpvi
