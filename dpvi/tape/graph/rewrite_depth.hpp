#pragma once

namespace dpvi {

// Rewrites recurse into arguments. This limit keeps a long chain from exhausting the stack.
inline constexpr int kMaxRewrites = 64;

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
