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

// What the schema says about one column of record data; programs may ask for it by mean(x) etc.
struct ColumnFacts {
  std::optional<double> mean = {};
  std::optional<double> sd = {};
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};

// By data variable, one entry for each of its columns (one for a scalar per record).
using RecordFacts = std::map<std::string, std::vector<ColumnFacts>>;

// Facts about what a program computes from the records, as mean(log(x)): by line and column of the
// call, and how often that call was made before.
using FactCall = std::tuple<std::uint32_t, std::uint32_t, int>;
using ComputedFacts = std::map<FactCall, double>;

// Of every width-th number, from `first` on. Of no number there is none.
ColumnFacts facts_of(std::span<const double> numbers, std::size_t first = 0, std::size_t width = 1);

}  // namespace dpvi
