#include <dpvi/privacy/outcome_merging.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace dpvi {
namespace {

// Covers the rounding of any expression below. It is applied so that ratios can only be too large
// and masses only too small.
constexpr double kLess = 1 - 16 * std::numeric_limits<double>::epsilon();

// Outcomes above grid point i that are still to be merged there. Their ratio is at least e^(i h).
struct UpperCarry {
  double p = 0;
  double q = 0;       // lower bound on the Q-mass times e^(i h)
  double excess = 0;  // lower bound on P-mass minus Q-mass times e^(i h)

  UpperCarry share(double s) const { return {kLess * s * p, kLess * s * q, kLess * s * excess}; }
};

// Outcomes below grid point i that are still to be merged there.
struct LowerCarry {
  double p = 0;
  double q = 0;        // upper bound on the Q-mass times e^(i h)
  double deficit = 0;  // upper bound on Q-mass times e^(i h) minus P-mass

  LowerCarry share(double s) const { return {kLess * s * p, s * q / kLess, s * deficit / kLess}; }
};

struct Merged {
  double p = 0;
  UpperCarry above;  // left over
  LowerCarry below;
};

// Takes as much of both as gives a ratio of at least e^(i h).
Merged merge(const UpperCarry& above, const LowerCarry& below) {
  if (above.excess <= below.deficit) {
    const double used = below.deficit > 0 ? kLess * above.excess / below.deficit : 0;
    return {kLess * (above.p + used * below.p), {}, below.share(1 - used)};
  }
  const double used = std::min(1.0, below.deficit / above.excess / kLess);
  return {kLess * (used * above.p + below.p), above.share(1 - used), {}};
}

class Merging {
 public:
  Merging(std::span<const CertainCell> cells, std::span<const CertainCell> subcells, double spacing)
      : cells_(cells),
        crowd_(subcells),
        gain_(std::expm1(spacing)),
        loss_(-std::expm1(-spacing)),
        masses_(cells.size() + 1, 0.0) {}

  // Both sweeps run from small masses to large ones. What one grid point takes in excess its
  // neighbour lacks, and this alternating error keeps its size.
  std::vector<double> meet_at(std::size_t meeting) {
    UpperCarry above;
    for (std::size_t i = cells_.size(); i > meeting; --i) {
      const bool crowded = i == 1 && !crowd_.empty();
      above = merge_down(i, above, crowded ? crowd_ : cells_.subspan(i - 1, 1));
    }
    LowerCarry below;
    for (std::size_t i = 0; i < meeting; ++i) {
      const CertainCell& cell = cells_[i];
      const Merged merged = merge(from_above(cell), below);
      masses_[i] = merged.p;
      below = up(merged.below, cell, merged.above);
    }
    const Merged merged = merge(above, below);
    masses_[meeting] = merged.p;
    settle_above(meeting, merged.above);
    settle_below(meeting, merged.below);
    return masses_;
  }

 private:
  static UpperCarry from_above(const CertainCell& cell) {
    if (cell.excess_low <= 0) return {};
    return {cell.p_low, cell.q_low, cell.excess_low};
  }
  LowerCarry from_below(const CertainCell& cell) const {
    return {cell.p_low, cell.q_high * (1 + gain_) / kLess, std::max(0.0, cell.deficit_high)};
  }

  // Merges a grid point's carry with the cell below it, in parts from the top. Returns what is left
  // of both, as seen from the next point down.
  UpperCarry merge_down(std::size_t point, UpperCarry above, std::span<const CertainCell> parts) {
    UpperCarry fresh;
    for (const CertainCell& part : parts) {
      const Merged merged = merge(above, from_below(part));
      masses_[point] += merged.p;
      above = merged.above;
      const double share = part.p_low > 0 ? kLess * merged.below.p / part.p_low : 0;
      const UpperCarry rest = from_above(part).share(share);
      fresh = {fresh.p + rest.p, kLess * (fresh.q + rest.q), kLess * (fresh.excess + rest.excess)};
    }
    return {above.p + fresh.p, kLess * (above.q * (1 - loss_) + fresh.q),
            kLess * (above.excess + above.q * loss_ + fresh.excess)};
  }
  // Returns what is left of a point's carry and of the cell above it, as seen from the next point
  // up.
  LowerCarry up(const LowerCarry& left, const CertainCell& cell, const UpperCarry& rest) const {
    // A cell too thin for its excess to be certain is kept whole.
    const double share = cell.excess_low <= 0 ? 1 : rest.p / cell.p_low;
    const LowerCarry fresh = from_below(cell).share(share);
    return {left.p + fresh.p, left.q * (1 + gain_) / kLess + fresh.q,
            (left.deficit + left.q * gain_ + fresh.deficit) / kLess};
  }

  // Balances what the sweeps left over where they met against outcomes that are already merged.
  void settle_above(std::size_t point, const UpperCarry& left) {
    double excess = left.excess;
    double taken = 0;
    double deficit_of_one = 0;  // for one unit of P-mass at the current point
    for (std::size_t i = point; excess > 0 && i-- > 0;) {
      deficit_of_one = (1 + deficit_of_one) * (1 + gain_) / kLess - 1;
      const double take = std::min(masses_[i], kLess * excess / deficit_of_one);
      masses_[i] -= take;
      taken += kLess * take;
      excess = std::max(0.0, kLess * excess - take * deficit_of_one);
      if (masses_[i] > 0) break;
    }
    masses_[point] += kLess * (left.p + taken);
  }
  void settle_below(std::size_t point, const LowerCarry& left) {
    if (left.p <= 0) return;
    double deficit = left.deficit;
    double taken = 0;
    double shrunk = 1;  // e^((point - i) h)
    for (std::size_t i = point + 1; deficit > 0 && i < masses_.size(); ++i) {
      shrunk *= (1 - loss_) / kLess;
      const double excess_of_one = kLess * (1 - shrunk);
      if (!(excess_of_one > 0)) continue;
      const double take = std::min(masses_[i], deficit / excess_of_one / (kLess * kLess));
      masses_[i] -= take;
      taken += kLess * take;
      deficit = std::max(0.0, deficit - kLess * take * excess_of_one);
    }
    // If there is not enough to balance it, the rest is left out, which only lowers the result.
    masses_[point] += kLess * (deficit > 0 ? taken : left.p + taken);
  }

  std::span<const CertainCell> cells_, crowd_;
  double gain_, loss_;
  std::vector<double> masses_;
};

double mean_point(std::span<const double> masses) {
  double sum = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) sum += masses[i] * static_cast<double>(i);
  return sum;
}

}  // namespace

std::vector<double> merge_outcomes(std::span<const CertainCell> cells,
                                   std::span<const CertainCell> subcells, double spacing) {
  const auto largest = std::max_element(cells.begin(), cells.end(),
                                        [](auto& a, auto& b) { return a.p_low < b.p_low; });
  const auto peak = static_cast<std::size_t>(largest - cells.begin());
  std::vector<double> best = Merging(cells, subcells, spacing).meet_at(peak);
  // Near the crowd of a bounded loss, other meeting points may lose less. All results are valid; a
  // larger mean loss is better.
  constexpr std::size_t kNear = 8, kFurthest = 256;
  for (std::size_t up = 0; peak < kNear && up <= kFurthest; up = up == 0 ? 1 : 2 * up) {
    const std::size_t point = up == 0 ? 0 : std::min(peak + up, cells.size());
    std::vector<double> other = Merging(cells, subcells, spacing).meet_at(point);
    if (mean_point(other) > mean_point(best)) best = std::move(other);
  }
  return best;
}

}  // namespace dpvi
