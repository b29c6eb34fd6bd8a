#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// An argument of a function: a flat node, with matrices in column-major order. A scalar is 1 x 1, a
// vector n x 1, a row vector 1 x n, and an array of n scalars n x 1.
struct ShapedNode {
  NodeId node;
  std::int32_t rows = 1;
  std::int32_t columns = 1;

  std::int32_t size() const { return rows * columns; }
};

// Writes one function into a graph. The caller has checked the number and shapes of the arguments.
// No vectorised argument is empty: a density over an empty vector is 0 and is never requested.
//
// Densities (names ending in _lpdf, _lpmf, _lcdf, _lccdf) return one number, including all
// constants. A density over scalars ("normal_lpdf") is called once for a whole vectorised
// statement. Each argument then has size n or 1, scalars are broadcast, and the result is the sum
// over n. A density over vectors or matrices ("dirichlet_lpdf", "categorical_logit_lpmf",
// "ordered_logistic_lpmf") is called for a single variate, and the caller adds up. A _glm density
// gets the whole data matrix.
//
// The result is NaN where Stan would throw (a parameter outside its support, NaN). It is -inf where
// Stan returns -inf (a variate outside the support).
using GraphFunction = std::function<NodeId(GraphBuilder&, std::span<const ShapedNode>)>;

// Functions by Stan name, e.g. "normal_lpdf".
class FunctionRegistry {
 public:
  // Replaces any earlier function of the same name.
  void add(std::string name, GraphFunction function) {
    functions_.insert_or_assign(std::move(name), std::move(function));
  }
  // Returns null if there is no such function.
  const GraphFunction* find(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, GraphFunction, std::less<>>& all() const { return functions_; }

 private:
  std::map<std::string, GraphFunction, std::less<>> functions_;
};

}  // namespace dpvi
