#include <dpvi/experiment/experiment_table.hpp>

#include <algorithm>

namespace dpvi {

bool TableRows::next_row() {
  if (next_ >= end_) return false;
  const std::vector<std::string>& row = table_.rows[next_++];
  std::copy(row.begin(), row.end(), cells_.begin());
  return true;
}

}  // namespace dpvi
