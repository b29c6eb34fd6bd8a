#pragma once

#include <string_view>

namespace dpvi {

// The neighbouring relation between two data sets.
enum class Adjacency {
  substitute,  // one record's values change; the number of records does not (bounded DP)
  add_remove   // one record is added or removed; protects membership (unbounded DP)
};

inline constexpr Adjacency kAdjacencies[] = {Adjacency::substitute, Adjacency::add_remove};

inline std::string_view name_of(Adjacency adjacency) {
  return adjacency == Adjacency::substitute ? "substitute" : "add-remove";
}

}  // namespace dpvi
