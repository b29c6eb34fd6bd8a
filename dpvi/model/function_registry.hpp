#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/tape/graph_builder.hpp>

namespace dpvi {

// An argument of a function: a flat node, matrices column by column. A scalar is 1 x 1, a vector
// n x 1, a row vector 1 x n, an array of n scalars n x 1.
struct ShapedNode {
  NodeId node;
  std::int32_t rows = 1;
  std::int32_t columns = 1;

  std::int32_t size() const { return rows * columns; }
};

// Writes one function into a graph; the arguments' number and shapes have been checked, and no
// vectorised argument is empty (a density over nothing is 0 and is never asked for).
//
// Densities (names ending in _lpdf, _lpmf, _lcdf, _lccdf) give one number, with all constants. One
// over scalars ("normal_lpdf") is called once for a whole vectorised statement: each argument has
// size n or 1, scalars repeat, and the result is the sum over n. One over vectors or matrices
// ("dirichlet_lpdf", "categorical_logit_lpmf", "ordered_logistic_lpmf") is called for a single
// variate; the caller adds up. A _glm density gets the whole data matrix.
//
// Where Stan would throw (a parameter outside its support, NaN), the result is NaN; where Stan
// gives -inf (a variate outside the support), it is -inf.
using GraphFunction = std::function<NodeId(GraphBuilder&, std::span<const ShapedNode>)>;

// Functions by their Stan name, e.g. "normal_lpdf".
class FunctionRegistry {
 public:
  // A second function of the same name replaces the first.
  void add(std::string name, GraphFunction function) {
    functions_.insert_or_assign(std::move(name), std::move(function));
  }
  // Null if there is none.
  const GraphFunction* find(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, GraphFunction, std::less<>>& all() const { return functions_; }

 private:
  std::map<std::string, GraphFunction, std::less<>> functions_;
};

}  // namespace dpvi
