#pragma once

#include <span>
#include <string_view>

namespace dpvi {

// One of Stan's distributions. `arguments` starts with the variate and uses the notation of
// signature.hpp; `random` is the signature of the _rng function.
struct DensityRow {
  std::string_view name;
  bool discrete = false;
  // If set, the log density is called once per variate; otherwise once per vectorised statement.
  bool one_by_one = false;
  std::string_view arguments;
  std::string_view random;
};

std::span<const DensityRow> density_rows();
// Null if Stan has no distribution of this name.
const DensityRow* find_density(std::string_view name);

// "normal_lpdf" is density "normal" with suffix "_lpdf"; row is null for any other name.
struct DensityName {
  const DensityRow* row = nullptr;
  std::string_view suffix;
};
DensityName split_density_name(std::string_view function);

// True for names with the suffix of a distribution function: _lpdf, _lpmf, _lupdf, _lupmf, _lcdf,
// _lccdf or _cdf.
bool has_density_suffix(std::string_view function);

}  // namespace dpvi
