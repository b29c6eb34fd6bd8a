#pragma once

#include <span>

#include <dpvi/model/expression_functions.hpp>
#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// The arguments of a density call.
using Arguments = std::span<const ShapedNode>;

inline Expression argument(GraphBuilder& builder, Arguments arguments, std::size_t index) {
  return {&builder, arguments[index].node};
}

// Applies Stan's requirement that a location is finite. A location that depends on both parameters
// and the record is returned unchecked, which saves lane work. The density is then still not finite
// for an infinite location, but it may be -inf where Stan rejects the argument.
inline Expression required_location(Expression value) {
  return value.space() == Space::lane ? value : where(all(finite(value)), value);
}

}  // namespace dpvi
