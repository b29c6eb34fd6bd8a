#include <dpvi/sample/internal/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Energy error beyond which a trajectory counts as divergent, as in Stan.
constexpr double kDivergence = 1000.0;

double log_sum_exp(double a, double b) {
  const double larger = std::max(a, b);
  if (larger == -kInfinity) return larger;
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

}  // namespace

void evaluate(const LogDensity& density, EvaluatedPoint& point) {
  const auto size = static_cast<std::size_t>(point.position.size());
  point.log_density =
      density({point.position.data(), size}, std::span<double>(point.gradient.data(), size));
  // The sum is finite only if no term is infinite or NaN, or if the gradient is absurdly large.
  if (!std::isfinite(point.log_density) || !std::isfinite(point.gradient.sum())) {
    point.log_density = -kInfinity;
    point.gradient.setZero();
  }
}

Trajectory::Trajectory(const LogDensity& density, Eigen::Index dimension, int max_tree_depth)
    : density_(density), max_tree_depth_(max_tree_depth), velocity_(dimension), seam_(dimension) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(dimension);
  const EvaluatedPoint point{zero, zero, 0.0};
  forward_ = backward_ = {point, zero};
  const Part part{{zero, zero}, {zero, zero}, zero, 0.0, point, 0.0};
  spare_.assign(static_cast<std::size_t>(max_tree_depth) + 2, part);
}

double Trajectory::energy(const PhasePoint& end) {
  metric_->velocity(end.momentum, velocity_);
  const double sum = 0.5 * end.momentum.dot(velocity_) - end.point.log_density;
  return std::isnan(sum) ? kInfinity : sum;
}

void Trajectory::leapfrog(PhasePoint& end, double step_size) {
  end.momentum += 0.5 * step_size * end.point.gradient;
  metric_->velocity(end.momentum, velocity_);
  end.point.position += step_size * velocity_;
  evaluate(density_, end.point);
  end.momentum += 0.5 * step_size * end.point.gradient;
}

bool Trajectory::turns_back(const Edge& one, const Edge& other, const Eigen::VectorXd& sum) {
  return !(one.velocity.dot(sum) > 0.0 && other.velocity.dot(sum) > 0.0);
}

bool Trajectory::add_leaf(PhasePoint& end, Part& part) {
  leapfrog(end, signed_step_);
  ++transition_.leapfrog_steps;
  part.proposal_energy = energy(end);
  part.log_weight = initial_energy_ - part.proposal_energy;
  acceptance_sum_ += std::min(1.0, std::exp(part.log_weight));
  part.near.momentum = end.momentum;
  part.near.velocity = velocity_;
  part.far = part.near;
  part.momentum_sum = end.momentum;
  part.proposal = end.point;
  transition_.divergent = !(part.log_weight > -kDivergence);
  return !transition_.divergent;
}

bool Trajectory::join(Part& first, Part& second, double share) {
  first.log_weight = log_sum_exp(first.log_weight, second.log_weight);
  if (random_->uniform() < share) {
    std::swap(first.proposal, second.proposal);
    first.proposal_energy = second.proposal_energy;
  }
  seam_ = first.momentum_sum + second.near.momentum;
  bool turns = turns_back(first.near, second.near, seam_);
  seam_ = second.momentum_sum + first.far.momentum;
  turns |= turns_back(first.far, second.far, seam_);
  first.momentum_sum += second.momentum_sum;
  turns |= turns_back(first.near, second.far, first.momentum_sum);
  std::swap(first.far, second.far);
  return !turns;
}

bool Trajectory::extend(PhasePoint& end, int depth, Part& part) {
  if (depth == 0) return add_leaf(end, part);
  if (!extend(end, depth - 1, part)) return false;
  Part& second = spare_[static_cast<std::size_t>(depth) - 1];
  if (!extend(end, depth - 1, second)) return false;
  // Within a part, a point is chosen in proportion to its weight.
  const double total = log_sum_exp(part.log_weight, second.log_weight);
  return join(part, second, std::exp(second.log_weight - total));
}

bool Trajectory::double_tree(Part& tree, int depth) {
  const bool forwards = random_->uniform() < 0.5;
  signed_step_ = forwards ? std::abs(signed_step_) : -std::abs(signed_step_);
  Part& half = spare_.back();
  if (!extend(forwards ? forward_ : backward_, depth, half)) return false;
  ++transition_.tree_depth;
  // `near` is the backward end of the tree. The new half must be joined to the end it starts at.
  if (!forwards) std::swap(tree.near, tree.far);
  // The new half is preferred, which moves further (biased progressive sampling).
  const bool goes_on = join(tree, half, std::min(1.0, std::exp(half.log_weight - tree.log_weight)));
  if (!forwards) std::swap(tree.near, tree.far);
  return goes_on;
}

Transition Trajectory::move(EvaluatedPoint& point, const Metric& metric, double step_size,
                            RandomNumbers& random) {
  metric_ = &metric;
  random_ = &random;
  signed_step_ = step_size;
  acceptance_sum_ = 0.0;
  transition_ = {};
  forward_.point = point;
  metric.draw_momentum(random, forward_.momentum);
  backward_ = forward_;
  initial_energy_ = energy(forward_);
  transition_.energy = initial_energy_;
  if (!std::isfinite(initial_energy_)) {
    transition_.divergent = true;
    return transition_;
  }
  Part& tree = spare_[static_cast<std::size_t>(max_tree_depth_)];
  tree.near = {forward_.momentum, velocity_};
  tree.far = tree.near;
  tree.momentum_sum = forward_.momentum;
  tree.log_weight = 0.0;
  tree.proposal = point;
  tree.proposal_energy = initial_energy_;
  while (transition_.tree_depth < max_tree_depth_ && double_tree(tree, transition_.tree_depth)) {
  }
  point = tree.proposal;
  transition_.energy = tree.proposal_energy;
  transition_.acceptance = acceptance_sum_ / std::max(transition_.leapfrog_steps, 1);
  return transition_;
}

double Trajectory::energy_change(const EvaluatedPoint& point, const Metric& metric,
                                 double step_size, RandomNumbers& random) {
  metric_ = &metric;
  forward_.point = point;
  metric.draw_momentum(random, forward_.momentum);
  const double before = energy(forward_);
  leapfrog(forward_, step_size);
  return energy(forward_) - before;
}

}  // namespace dpvi
