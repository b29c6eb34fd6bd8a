#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// One argument of an _rng function: one node per entry, matrices in column-major order.
struct DrawArgument {
  std::vector<NodeId> entries;
  std::size_t rows = 1;
  std::size_t columns = 1;
};

// A call of an _rng function whose arguments depend on theta, on a row or on earlier draws. The
// graph reads the drawn numbers as further real columns of the record: they start at
// `first_column`, after the columns of the table.
struct DrawSite {
  std::string distribution;     // Stan's name, without _rng
  bool draws_together = false;  // one variate of `count` numbers, by draw_vector()
  std::vector<DrawArgument> arguments;
  std::int32_t first_column = 0;
  std::int32_t count = 1;
};

// All deferred draws of one run, in the order in which they must be made.
struct DrawSites {
  std::vector<DrawSite> sites;
  std::int32_t next_column = 0;
};

}  // namespace dpvi
