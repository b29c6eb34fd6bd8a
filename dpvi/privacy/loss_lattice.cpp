#include <dpvi/privacy/loss_lattice.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <dpvi/privacy/outcome_merging.hpp>

namespace dpvi {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// Mass of one normal component beyond a cell boundary, with a bound on its error. The mass is taken
// on the side away from the mean, so that small masses keep their relative precision. The error
// covers the rounding of erfc (at most 5 units in the last place in glibc), of its argument and of
// the sums in which it is used.
struct Tail {
  double value = 0;
  double error = 0;
  bool below = false;  // true for the mass below the boundary, false for the mass above
};

Tail normal_tail(double x, double mean, double noise) {
  const double z = (x - mean) / noise;
  const double value = std::erfc(std::abs(z) * std::sqrt(0.5)) / 2;
  const double error = kUnit * value * (24 + 8 * z * z) + std::numeric_limits<double>::min();
  return {value, error, z < 0};
}

Tail reflect(const Tail& tail) { return {tail.value, tail.error, !tail.below}; }

Tail mass_between(const Tail& low, const Tail& high) {
  const double error = low.error + high.error;
  if (low.below && high.below) return {std::max(0.0, high.value - low.value), error};
  if (!low.below && !high.below) return {std::max(0.0, low.value - high.value), error};
  return {std::max(0.0, 1 - low.value - high.value), error + 4 * kUnit};
}

// A cell boundary: the outcome x with a given loss, and all tails at x.
struct Boundary {
  Tail left, centre, right;  // for N(-1), N(0), N(1)
  double loss_error = 0;     // bound on the difference between the loss at x and the wanted loss
};

Boundary boundary_at(const DominatingPair<double>& pair, double loss) {
  const double x = pair.outcome(loss);
  Boundary edge;
  if (std::isinf(x)) {
    const Tail none{0.0, 0.0, x < 0};
    return {none, none, none, 4 * kUnit * (std::isinf(loss) ? 0 : std::abs(loss))};
  }
  edge.centre = normal_tail(x, 0, pair.noise);
  // Derivative of the loss with respect to x / s^2: the posterior weight of the shifted components.
  double slope = 0;
  const double variance = pair.noise * pair.noise;
  const auto add_slope = [&](double weight, double exponent) {
    slope += weight == 1 ? 1 : 1 / (1 + (1 - weight) / weight * std::exp(-exponent));
  };
  double condition = std::abs(loss) + (2 * std::abs(x) + 2) / variance;
  if (pair.up > 0) {
    edge.right = normal_tail(x, 1, pair.noise);
    add_slope(pair.up, (2 * x - 1) / (2 * variance));
    condition += std::exp(-std::min(loss, 0.0));
  }
  if (pair.down > 0) {
    edge.left = normal_tail(x, -1, pair.noise);
    add_slope(pair.down, (-2 * x - 1) / (2 * variance));
    condition += std::exp(std::max(loss, 0.0) * (pair.up > 0 ? 0 : 1));
  }
  const double log_odds =
      pair.up > 0 && pair.up < 1 ? std::abs(std::log((1 - pair.up) / pair.up)) : 0;
  edge.loss_error =
      12 * kUnit * slope * (condition + 2 * log_odds + 8) + 2 * kUnit * std::abs(loss);
  return edge;
}

Boundary reflect(const Boundary& edge) {
  return {reflect(edge.right), reflect(edge.centre), reflect(edge.left), edge.loss_error};
}

std::vector<Boundary> boundaries(const DominatingPair<double>& pair, const LossLattice& lattice,
                                 std::int64_t last) {
  const std::int64_t first = lattice.first;
  std::vector<Boundary> edges(static_cast<std::size_t>(last - first + 1));
  const bool symmetric = pair.up == pair.down;
  for (std::int64_t i = last; i >= first; --i) {
    auto& edge = edges[static_cast<std::size_t>(i - first)];
    if (symmetric && i < 0 && -i <= last)
      edge = reflect(edges[static_cast<std::size_t>(-i - first)]);
    else
      edge = boundary_at(pair, lattice.offset + static_cast<double>(i) * lattice.spacing);
  }
  return edges;
}

// Masses between two boundaries, each with a bound on its error.
struct Cell {
  double p = 0, p_error = 0;
  double scaled_q = 0, scaled_q_error = 0;  // Q-mass times e^(lower edge)
  double excess = 0, excess_error = 0;      // P - e^(lower edge) Q
  double deficit = 0, deficit_error = 0;    // e^(upper edge) Q - P
};

struct CellEdges {
  const Boundary& below;
  const Boundary& above;
  double loss_below;
  double spacing;
};

Cell measure(const DominatingPair<double>& pair, const CellEdges& edges) {
  const auto& [below, above, loss_below, spacing] = edges;
  const Tail left = mass_between(below.left, above.left);
  const Tail centre = mass_between(below.centre, above.centre);
  const Tail right = mass_between(below.right, above.right);

  Cell cell;
  cell.p = (1 - pair.up) * centre.value + pair.up * right.value;
  cell.p_error = (1 - pair.up) * centre.error + pair.up * right.error;
  const double growth = std::exp(loss_below);
  cell.scaled_q = growth * ((1 - pair.down) * centre.value + pair.down * left.value);
  cell.scaled_q_error = growth * ((1 - pair.down) * centre.error + pair.down * left.error) +
                        4 * kUnit * (2 + std::abs(loss_below)) * cell.scaled_q;

  // P - e^loss Q, collected by component so that terms common to P and Q cancel exactly.
  const auto excess_over = [&](double loss, double& value, double& error) {
    const double gain = std::expm1(loss);
    const double shift = pair.down - pair.up;
    const double centre_weight = shift - (1 - pair.down) * gain;
    const double left_weight = pair.down * (1 + gain);
    value = centre_weight * centre.value + pair.up * right.value - left_weight * left.value;
    error = std::abs(centre_weight) * centre.error + pair.up * right.error +
            left_weight * left.error +
            4 * kUnit * (2 + std::abs(loss)) *
                ((std::abs(shift) + std::abs(gain)) * centre.value + pair.up * right.value +
                 left_weight * left.value);
  };
  double negative_deficit = 0;
  excess_over(loss_below, cell.excess, cell.excess_error);
  excess_over(loss_below + spacing, negative_deficit, cell.deficit_error);
  cell.deficit = -negative_deficit;
  return cell;
}

CertainCell certain(const Cell& cell) {
  return {std::max(0.0, cell.p - cell.p_error), std::max(0.0, cell.scaled_q - cell.scaled_q_error),
          cell.scaled_q + cell.scaled_q_error, cell.excess - cell.excess_error,
          cell.deficit + cell.deficit_error};
}

// The cell above a bounded least loss, divided by repeated halving towards that loss.
std::vector<CertainCell> crowd_at_least_loss(const DominatingPair<double>& pair,
                                             const LossLattice& lattice) {
  const double least = lattice.offset + static_cast<double>(lattice.first) * lattice.spacing;
  if (!(least <= pair.least_loss())) return {};
  std::vector<CertainCell> subcells;
  Boundary above = boundary_at(pair, least + lattice.spacing);
  for (double width = lattice.spacing / 2; least + width > least; width /= 2) {
    const Boundary below = boundary_at(pair, least + width);
    subcells.push_back(certain(measure(pair, {below, above, least, lattice.spacing})));
    above = below;
  }
  const Boundary bottom = boundary_at(pair, -std::numeric_limits<double>::infinity());
  subcells.push_back(certain(measure(pair, {bottom, above, least, lattice.spacing})));
  return subcells;
}

// The mass of a grid point may truly lie a rounding error above it. Moves enough of that mass to
// the next point to compensate.
void round_losses_up(const std::vector<Boundary>& edges, LossLattice& lattice) {
  const double right_share = -std::expm1(-lattice.spacing);
  double& top = lattice.upper.back();
  lattice.infinite += std::min(1.0, 2 * edges.back().loss_error / right_share) * top;
  for (std::size_t i = edges.size() - 1; i-- > 0;) {
    const double share = std::min(1.0, 2 * edges[i].loss_error / right_share);
    lattice.upper[i + 1] += share * lattice.upper[i];
    lattice.upper[i] *= 1 - share;
  }
}

}  // namespace

double grid_offset(const DominatingPair<double>& pair) {
  const double least = pair.least_loss(), largest = pair.largest_loss();
  const double bound = std::isfinite(least) ? least : std::isfinite(largest) ? largest : 0;
  return bound * (1 + 64 * kUnit);  // outside the bound by more than rounding
}

LossLattice make_loss_lattice(const DominatingPair<double>& pair, double spacing,
                              const LossRange& range) {
  LossLattice lattice;
  lattice.spacing = spacing;
  lattice.offset = grid_offset(pair);
  const auto index = [&](double loss) { return (loss - lattice.offset) / spacing; };
  lattice.first = static_cast<std::int64_t>(std::floor(index(range.least)));
  const auto last =
      std::max(lattice.first + 1, static_cast<std::int64_t>(std::ceil(index(range.largest))));
  const std::vector<Boundary> edges = boundaries(pair, lattice, last);
  lattice.upper.assign(edges.size(), 0.0);

  const Boundary nowhere_low = boundary_at(pair, -std::numeric_limits<double>::infinity());
  const Boundary nowhere_high = boundary_at(pair, std::numeric_limits<double>::infinity());
  const auto p_mass = [&](const Boundary& low, const Boundary& high) {
    const Cell cell = measure(pair, {low, high, 0, spacing});
    return cell.p + cell.p_error;
  };
  lattice.infinite = p_mass(edges.back(), nowhere_high);
  // Losses below the range are rounded up to its first point.
  lattice.upper[0] = p_mass(nowhere_low, edges[0]);

  std::vector<CertainCell> cells(edges.size() - 1);
  const double right_share = -std::expm1(-spacing);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto point = static_cast<double>(lattice.first + static_cast<std::int64_t>(i));
    const double loss = lattice.offset + point * spacing;
    const Cell cell = measure(pair, {edges[i], edges[i + 1], loss, spacing});
    const double mass = cell.p + cell.p_error;
    // The boundaries' true losses differ from the grid points by rounding, which the split must
    // cover.
    const double misplaced = 2 * (edges[i].loss_error + edges[i + 1].loss_error) * mass;
    const double to_right =
        std::clamp((cell.excess + cell.excess_error + misplaced) / right_share, 0.0, mass);
    lattice.upper[i + 1] += to_right;
    lattice.upper[i] += mass - to_right;
    cells[i] = certain(cell);
  }
  lattice.lower = merge_outcomes(cells, crowd_at_least_loss(pair, lattice), spacing);
  round_losses_up(edges, lattice);
  return lattice;
}

}  // namespace dpvi
