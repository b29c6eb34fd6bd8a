#include <dpvi/privacy/largest_private_solution.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {
namespace {

constexpr double kFarOff = 30;  // limit of |ln(epsilon / target)|
constexpr int kMaxEvaluations = 100;
constexpr double kNear = 1e-3;
// If a bracket is wide, coming closer to the target than this share of its width gains nothing.
constexpr double kEnoughOfWidth = 0.05;
constexpr double kWide = 2e-3;  // relative to the target
// If brackets are very wide on one side of a point, the bound jumps there by more than this (in ln
// epsilon). Coming closer to that point than kNearJump gains nothing.
constexpr double kJump = 0.1;
constexpr double kNearJump = 1e-3;

// Enough effort to find where to search.
PldEffort quick_effort(const PldEffort& effort) {
  PldEffort quick = effort;
  quick.relative_width = quick.absolute_width = 0.05;
  quick.usual_length = quick.few_steps_length = std::size_t{1} << 13;
  quick.largest_length = std::min(effort.largest_length, std::size_t{1} << 17);
  return quick;
}

}  // namespace

LargestPrivateSolution::LargestPrivateSolution(EpsilonAt epsilon_at, double target,
                                               const Range& range)
    : epsilon_at_(std::move(epsilon_at)), target_(target), range_(range) {}

std::optional<LargestPrivateSolution::Point> LargestPrivateSolution::solve(
    double guess, const PldEffort& effort) {
  search(guess, quick_effort(effort), 1e-5);
  const double quick = safe_ ? safe_->point.x : inside(guess);
  safe_.reset();
  unsafe_.reset();
  latest_.reset();
  search(quick, effort, 1e-6);
  if (!safe_) return std::nullopt;
  return safe_->point;
}

void LargestPrivateSolution::search(double guess, const PldEffort& effort, double tolerance) {
  double x = inside(guess);
  for (int i = 0; i < kMaxEvaluations; ++i) {
    const Evaluated found = evaluate(x, effort);
    update_slope(found);
    const bool safe = found.point.epsilon.upper <= target_;
    (safe ? safe_ : unsafe_) = found;
    if (safe && x >= range_.most) return;
    const double width = found.point.epsilon.width() / target_;
    if (safe && width > kWide && found.excess > -kEnoughOfWidth * width) return;
    if (safe && !range_.integer && found.excess > -tolerance) return;
    if (!safe && x <= range_.least) return;
    if (safe_ && unsafe_ && narrow(tolerance)) return;
    // Every fourth step bisects, whatever the slope is.
    x = safe_ && unsafe_ && i % 4 == 3 ? middle() : propose(found, tolerance);
  }
}

LargestPrivateSolution::Evaluated LargestPrivateSolution::evaluate(double x,
                                                                   const PldEffort& effort) const {
  const Bracket epsilon = epsilon_at_(x, effort);
  const double excess = epsilon.upper == 0 ? -kFarOff : std::log(epsilon.upper / target_);
  return {{x, epsilon}, std::clamp(excess, -kFarOff, kFarOff)};
}

void LargestPrivateSolution::update_slope(const Evaluated& found) {
  const bool close = latest_ && latest_->point.x != found.point.x && std::abs(found.excess) < 5 &&
                     std::abs(latest_->excess) < 5;
  if (close) {
    const double run = std::log(found.point.x / latest_->point.x);
    slope_ = std::clamp((found.excess - latest_->excess) / run, 0.1, 20.0);
  }
  latest_ = found;
}

bool LargestPrivateSolution::narrow(double tolerance) const {
  const double gap = unsafe_->point.x - safe_->point.x;
  const bool jump = unsafe_->excess - safe_->excess > kJump;
  if (jump && gap <= kNearJump * safe_->point.x) return true;
  return range_.integer ? gap <= 1 : gap <= 0.01 * tolerance * safe_->point.x;
}

// Moves along the latest slope, aims just inside the target and stays strictly within the open
// interval.
double LargestPrivateSolution::propose(const Evaluated& from, double tolerance) const {
  const double aim = range_.integer ? 0 : -0.3 * tolerance;
  const double start = from.point.x;
  double x = start * std::exp(std::clamp((aim - from.excess) / slope_, -3.0, 3.0));
  if (range_.integer) x = std::floor(x);
  if (safe_ && unsafe_) {
    const double low = safe_->point.x, high = unsafe_->point.x;
    if (x > low && x < high) return x;
    // An end that nearly meets the target is confirmed by evaluating its neighbour.
    if (range_.integer && x <= low && safe_->excess > -kNear) return low + 1;
    if (range_.integer && x >= high && unsafe_->excess < kNear) return high - 1;
    return middle();
  }
  const double least_move = range_.integer ? 1.0 : 1e-9 * start;
  if (!safe_ && !(x < start)) x = start - least_move;
  if (!unsafe_ && !(x > start)) x = start + least_move;
  return inside(x);
}

double LargestPrivateSolution::middle() const {
  const double low = safe_->point.x, high = unsafe_->point.x;
  const double x = std::sqrt(low * high);
  return range_.integer ? std::clamp(std::floor(x), low + 1, high - 1) : x;
}

double LargestPrivateSolution::inside(double x) const {
  return std::clamp(x, range_.least, range_.most);
}

}  // namespace dpvi
