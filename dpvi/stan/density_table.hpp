#pragma once

#include <span>
#include <string_view>

namespace dpvi {

// One of Stan's distributions. `arguments` starts with the variate, in the words of signature.hpp;
// `random` is the signature of its _rng function.
struct DensityRow {
  std::string_view name;
  bool discrete = false;
  // Its log density is called once for each variate; otherwise once for a vectorised statement.
  bool one_by_one = false;
  std::string_view arguments;
  std::string_view random;
};

std::span<const DensityRow> density_rows();
// Null if Stan has none of this name.
const DensityRow* find_density(std::string_view name);

// "normal_lpdf" is density "normal" with suffix "_lpdf"; row is null for any other name.
struct DensityName {
  const DensityRow* row = nullptr;
  std::string_view suffix;
};
DensityName split_density_name(std::string_view function);

// Does the name end like a function of a distribution: _lpdf, _lpmf, _lupdf, _lupmf, _lcdf,
// _lccdf, _cdf?
bool has_density_suffix(std::string_view function);

}  // namespace dpvi
