#pragma once

namespace dpvi {

// Which two data sets count as neighbours.
enum class Adjacency {
  substitute,  // one record's values change, the number of records does not (bounded DP)
  add_remove   // one record comes or goes; protects membership (unbounded DP)
};

}  // namespace dpvi
