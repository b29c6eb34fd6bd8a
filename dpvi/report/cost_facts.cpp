#include <dpvi/report/cost_facts.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/privacy/group_privacy.hpp>
#include <dpvi/report/page/belief.hpp>

namespace dpvi {

std::vector<GroupEpsilon> group_costs(std::span<const GaussianPhase> run, Adjacency adjacency,
                                      double delta) {
  constexpr int kSizes[] = {2, 5, 10};
  const std::vector<double> epsilons = group_epsilons(run, adjacency, delta, kSizes);
  std::vector<GroupEpsilon> groups;
  for (std::size_t i = 0; i < epsilons.size(); ++i) groups.push_back({kSizes[i], epsilons[i]});
  return groups;
}

std::vector<BeliefRange> belief_ranges(double epsilon) {
  std::vector<BeliefRange> beliefs;
  for (const double before : {0.01, 0.1, 0.5}) {
    beliefs.push_back({before, lowest_belief(epsilon, before), highest_belief(epsilon, before)});
  }
  return beliefs;
}

double right_guesses(double epsilon, double delta) {
  return std::min(1.0, (1.0 + delta * std::exp(-epsilon)) / (1.0 + std::exp(-epsilon)));
}

}  // namespace dpvi
