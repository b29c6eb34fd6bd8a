#pragma once

namespace dpvi {

// Rewrites look into arguments, and these into theirs; a long chain must not exhaust the stack.
inline constexpr int kMostRewrites = 64;

class RewriteDepth {
 public:
  explicit RewriteDepth(int& depth) : depth_(depth) { ++depth_; }
  ~RewriteDepth() { --depth_; }
  RewriteDepth(const RewriteDepth&) = delete;
  RewriteDepth& operator=(const RewriteDepth&) = delete;

 private:
  int& depth_;
};

}  // namespace dpvi
