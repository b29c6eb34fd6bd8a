#include <dpvi/sample/internal/warmup_windows.hpp>

namespace dpvi {
namespace {

constexpr int kFirstPart = 75;
constexpr int kFirstWindow = 25;
constexpr int kLastPart = 50;

bool is_long(int iterations) { return iterations >= kFirstPart + kFirstWindow + kLastPart; }

}  // namespace

WarmupWindows::WarmupWindows(int iterations)
    : first_(is_long(iterations) ? kFirstPart : iterations * 15 / 100),
      last_(iterations - (is_long(iterations) ? kLastPart : iterations / 10)),
      length_(is_long(iterations) ? kFirstWindow : last_ - first_),
      end_(first_ + length_) {}

bool WarmupWindows::ends_window(int iteration) {
  if (!collects(iteration) || iteration + 1 != end_) return false;
  length_ *= 2;
  // A window that would leave less than the one after it takes all iterations that are left.
  end_ = end_ + 3 * length_ > last_ ? last_ : end_ + length_;
  return true;
}

}  // namespace dpvi
