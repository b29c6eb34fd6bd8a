#pragma once

namespace dpvi {

// The neighbouring relation between two data sets.
enum class Adjacency {
  substitute,  // one record's values change; the number of records does not (bounded DP)
  add_remove   // one record is added or removed; protects membership (unbounded DP)
};

}  // namespace dpvi
