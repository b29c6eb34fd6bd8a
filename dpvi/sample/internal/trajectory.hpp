#pragma once

#include <Eigen/Core>
#include <vector>

#include <dpvi/sample/internal/metric.hpp>
#include <dpvi/sample/log_density.hpp>

namespace dpvi {

// A point with its log density and gradient.
struct EvaluatedPoint {
  Eigen::VectorXd position;
  Eigen::VectorXd gradient;
  double log_density = 0.0;
};

// Evaluates the density at the point's position. A density or gradient that is not finite becomes a
// log density of minus infinity.
void evaluate(const LogDensity& density, EvaluatedPoint& point);

// Statistics of one transition.
struct Transition {
  double acceptance = 0.0;  // mean over the trajectory
  int tree_depth = 0;
  int leapfrog_steps = 0;
  bool divergent = false;
  double energy = 0.0;  // at the new point
};

// Transitions of the No-U-Turn sampler with multinomial selection of the next point (Betancourt
// 2017, appendix A). A trajectory ends when it turns back on itself by the generalised criterion,
// which is also checked across the seam of any two joined parts, as Stan does.
class Trajectory {
 public:
  Trajectory(const LogDensity& density, Eigen::Index dimension, int max_tree_depth);

  // Moves `point` to the next point of the chain. A point of zero density stays where it is, and
  // the transition counts as divergent.
  Transition move(EvaluatedPoint& point, const Metric& metric, double step_size,
                  RandomNumbers& random);

  // Change of the total energy over one leapfrog step from `point` with a new momentum.
  double energy_change(const EvaluatedPoint& point, const Metric& metric, double step_size,
                       RandomNumbers& random);

 private:
  struct PhasePoint {
    EvaluatedPoint point;
    Eigen::VectorXd momentum;
  };
  struct Edge {
    Eigen::VectorXd momentum;
    Eigen::VectorXd velocity;
  };
  // A part of the trajectory. `near` is the edge that was reached first.
  struct Part {
    Edge near, far;
    Eigen::VectorXd momentum_sum;
    double log_weight = 0.0;
    EvaluatedPoint proposal;
    double proposal_energy = 0.0;
  };

  void leapfrog(PhasePoint& end, double step_size);
  double energy(const PhasePoint& end);
  bool extend(PhasePoint& end, int depth, Part& part);
  bool add_leaf(PhasePoint& end, Part& part);
  bool double_tree(Part& tree, int depth);
  // Adds the second part, which starts where the first ends. Returns false if the whole turns back.
  // The proposal becomes that of the second part with probability `share`.
  bool join(Part& first, Part& second, double share);
  static bool turns_back(const Edge& one, const Edge& other, const Eigen::VectorXd& sum);

  const LogDensity& density_;
  int max_tree_depth_;
  std::vector<Part> spare_;  // one for each depth, and one for the new half of the tree
  PhasePoint forward_, backward_;
  Eigen::VectorXd velocity_;
  Eigen::VectorXd seam_;

  // State of the current transition.
  const Metric* metric_ = nullptr;
  RandomNumbers* random_ = nullptr;
  double signed_step_ = 0.0;
  double initial_energy_ = 0.0;
  double acceptance_sum_ = 0.0;
  Transition transition_;
};

}  // namespace dpvi
