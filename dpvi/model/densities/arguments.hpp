#pragma once

#include <span>

#include <dpvi/model/formula.hpp>
#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// What a density is called with.
using Arguments = std::span<const ShapedNode>;

inline Expression argument(GraphBuilder& builder, Arguments arguments, std::size_t index) {
  return {&builder, arguments[index].node};
}

// A location that Stan requires to be finite. Where it depends on both parameters and the record
// it is passed on as it is: an infinite one gives a density that is not finite either, though
// perhaps -inf where Stan refuses, and no lane is spent on it.
inline Expression required_location(Expression value) {
  return value.space() == Space::lane ? value : where(all(finite(value)), value);
}

}  // namespace dpvi
