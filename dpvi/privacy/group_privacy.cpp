#include <dpvi/privacy/group_privacy.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Brackets are valid whatever the effort. Here their upper ends are within about 1 % of delta.
PldEffort rough_effort() {
  PldEffort effort;
  effort.wanted_error = effort.relative_error = 1e-3;
  effort.absolute_error = 1e-2;
  effort.relative_width = effort.absolute_width = 1.0;
  effort.usual_length = effort.few_steps_length = std::size_t{1} << 14;
  return effort;
}

double by_sensitivity(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                      int size) {
  GaussianRun wider(run.begin(), run.end());
  for (GaussianPhase& phase : wider) {
    const double some = -std::expm1(size * std::log1p(-phase.sampling_rate));
    phase.sampling_rate = std::min(1.0, some * (1 + 1e-14));
    phase.noise_multiplier /= size;
  }
  return pld_epsilon(wider, adjacency, delta).upper;
}

// Delta of the run for one record on a grid of epsilons, as the links of a chain use it.
class Chain {
 public:
  Chain(std::span<const GaussianPhase> run, Adjacency adjacency, double delta) : delta_(delta) {
    constexpr std::size_t kPointsPerEpsilon = 24, kMultiples = 6;
    const PldEffort effort = rough_effort();
    const double alone = pld_epsilon(run, adjacency, delta, effort).upper;
    if (!(alone > 0) || !std::isfinite(alone)) return;
    step_ = alone / kPointsPerEpsilon;
    for (std::size_t i = 0; i <= kPointsPerEpsilon * kMultiples; ++i) {
      one_.push_back(pld_delta(run, adjacency, static_cast<double>(i) * step_, effort).upper);
    }
  }

  // The smallest sum of e1, ..., ek on the grid for which the chain costs at most delta; infinite
  // if there is none.
  double epsilon(int size) const {
    if (one_.empty()) return kInfinity;
    std::vector<double> best = one_;  // delta of the chain so far, by its sum
    for (int link = 2; link <= size; ++link) best = with_one_more(best);
    const auto found = std::ranges::find_if(best, [&](double cost) { return cost <= delta_; });
    if (found == best.end()) return kInfinity;
    return static_cast<double>(found - best.begin()) * step_ * kRoundOff;
  }

 private:
  static constexpr double kRoundOff = 1 + 1e-10;

  std::vector<double> with_one_more(const std::vector<double>& best) const {
    std::vector<double> longer(best.size() + one_.size() - 1, kInfinity);
    for (std::size_t i = 0; i < one_.size(); ++i) {
      const double factor = std::exp(static_cast<double>(i) * step_) * kRoundOff;
      for (std::size_t j = 0; j < best.size(); ++j) {
        longer[i + j] = std::min(longer[i + j], (one_[i] + factor * best[j]) * kRoundOff);
      }
    }
    return longer;
  }

  double delta_;
  double step_ = 0;
  std::vector<double> one_;
};

}  // namespace

std::vector<double> group_epsilons(std::span<const GaussianPhase> run, Adjacency adjacency,
                                   double delta, std::span<const int> sizes) {
  const auto sampled = [](const GaussianPhase& phase) { return phase.sampling_rate < 1; };
  std::optional<Chain> chain;
  if (std::ranges::any_of(run, sampled)) chain.emplace(run, adjacency, delta);
  std::vector<double> epsilons;
  for (const int size : sizes) {
    const double wide = by_sensitivity(run, adjacency, delta, size);
    epsilons.push_back(chain && size > 1 ? std::min(wide, chain->epsilon(size)) : wide);
  }
  return epsilons;
}

}  // namespace dpvi
