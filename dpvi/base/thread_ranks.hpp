#pragma once

#include <memory>
#include <vector>

#include <dpvi/base/rank_link.hpp>

namespace dpvi {

// Ranks that are threads of this process, for tests and for programs that hold a table in parts.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size);
  ~ThreadRanks();

  // One for each thread. It must not outlive this object.
  RankLink& link(int rank);

 private:
  class Link;
  struct Meeting;

  std::unique_ptr<Meeting> meeting_;
  std::vector<std::unique_ptr<Link>> links_;
};

}  // namespace dpvi
