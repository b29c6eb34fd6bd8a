#include <dpvi/sample/nuts.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/thread_team.hpp>
#include <dpvi/sample/internal/step_size.hpp>
#include <dpvi/sample/internal/trajectory.hpp>
#include <dpvi/sample/internal/warmup_windows.hpp>

namespace dpvi {
namespace {

class ChainSampler {
 public:
  ChainSampler(const LogDensity& density, const std::vector<double>& start,
               const NutsSettings& settings, RandomNumbers& random)
      : settings_(settings),
        random_(random),
        dimension_(static_cast<Eigen::Index>(start.size())),
        trajectory_(density, dimension_, settings.max_tree_depth),
        metric_(dimension_),
        adaptation_(settings.target_acceptance) {
    point_.position = Eigen::Map<const Eigen::VectorXd>(start.data(), dimension_);
    point_.gradient = Eigen::VectorXd::Zero(dimension_);
    evaluate(density, point_);
  }

  NutsChain run() {
    warm_up();
    NutsChain chain;
    for (int i = 0; i < settings_.draws; ++i) {
      Transition made = trajectory_.move(point_, metric_, step_size_, random_);
      for (int skipped = 1; skipped < settings_.thin; ++skipped) {
        const bool diverged = made.divergent;
        made = trajectory_.move(point_, metric_, step_size_, random_);
        made.divergent |= diverged;
      }
      chain.draws.emplace_back(point_.position.begin(), point_.position.end());
      chain.statistics.push_back({point_.log_density, made.acceptance, step_size_, made.tree_depth,
                                  made.leapfrog_steps, made.divergent, made.energy});
    }
    return chain;
  }

 private:
  // Without a warm-up the step size is 1. A step size that is found from the start would depend on
  // the first draw.
  void warm_up() {
    if (settings_.warmup == 0) return;
    WarmupWindows windows(settings_.warmup);
    MetricEstimate estimate(dimension_,
                            static_cast<std::size_t>(dimension_) <= settings_.largest_dense_metric);
    restart_step_size();
    for (int i = 0; i < settings_.warmup; ++i) {
      const Transition made = trajectory_.move(point_, metric_, step_size_, random_);
      step_size_ = adaptation_.next(made.acceptance);
      if (windows.collects(i)) estimate.add(point_.position);
      if (windows.ends_window(i)) {
        metric_ = estimate.metric();
        estimate.clear();
        restart_step_size();
      }
    }
    step_size_ = adaptation_.averaged();
  }

  // Finds a step size by doubling or halving until one leapfrog step crosses an acceptance of .8.
  void restart_step_size() {
    constexpr int kMostTrials = 50;
    const double limit = -std::log(0.8);
    const bool grows = step_error() < limit;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      step_size_ *= grows ? 2.0 : 0.5;
      if ((step_error() < limit) != grows) break;
    }
    adaptation_.restart(step_size_);
  }

  double step_error() {
    const double error = trajectory_.energy_change(point_, metric_, step_size_, random_);
    return std::isnan(error) ? INFINITY : error;
  }

  const NutsSettings& settings_;
  RandomNumbers& random_;
  Eigen::Index dimension_;
  Trajectory trajectory_;
  Metric metric_;
  StepSizeAdaptation adaptation_;
  EvaluatedPoint point_;
  double step_size_ = 1.0;
};

}  // namespace

std::vector<NutsChain> sample_nuts(const LogDensity& density,
                                   const std::vector<std::vector<double>>& starts,
                                   const NutsSettings& settings,
                                   const ChainRandomness& randomness) {
  std::vector<NutsChain> chains(starts.size());
  const auto workers = std::clamp<std::size_t>(static_cast<std::size_t>(settings.threads), 1,
                                               std::max<std::size_t>(starts.size(), 1));
  ThreadTeam team(static_cast<int>(workers));
  team.run([&](int worker) {
    for (auto i = static_cast<std::size_t>(worker); i < starts.size(); i += workers) {
      const std::unique_ptr<RandomNumbers> random = randomness(i);
      chains[i] = ChainSampler(density, starts[i], settings, *random).run();
    }
  });
  return chains;
}

}  // namespace dpvi
