#pragma once

#include <string_view>

#include <dpvi/privacy/adjacency.hpp>

namespace dpvi {

inline constexpr Adjacency kAdjacencies[] = {Adjacency::substitute, Adjacency::add_remove};

inline std::string_view name_of(Adjacency adjacency) {
  return adjacency == Adjacency::substitute ? "substitute" : "add-remove";
}

}  // namespace dpvi
