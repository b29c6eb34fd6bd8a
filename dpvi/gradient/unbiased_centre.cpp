#include <dpvi/gradient/unbiased_centre.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {
namespace {

// The mean of psi is zero after any number of iterations. With many outcomes fewer are enough,
// because each of them has little weight.
constexpr int kIterationsOfFew = 20, kIterationsOfMany = 6;
constexpr std::size_t kFew = 8;

int iterations_of(std::size_t outcomes) {
  return outcomes <= kFew ? kIterationsOfFew : kIterationsOfMany;
}

// Lowers a share so that a gradient which reaches it in floating point counts as shortened.
constexpr double kBelow = 1.0 - 0x1p-20;

template <class Each>
void for_each_lane(const Each& each) {
  for (std::size_t lane = 0; lane < kClipLanes; ++lane) each(lane);
}

}  // namespace

double gradient_bound(const ClipSettings& settings) {
  const ClipTarget target = clip_target(settings);
  return target.clip_bound * static_cast<double>(target.gradient_bound()) /
         static_cast<double>(target.integer_bound);
}

UnbiasedCentre::UnbiasedCentre(std::size_t outcomes, double bound)
    : outcomes_(outcomes),
      bound_(bound),
      products_(outcomes * outcomes),
      probabilities_(outcomes),
      weights_(outcomes),
      distances_(outcomes),
      kept_(outcomes),
      remainder_(outcomes),
      coefficients_(outcomes) {}

template <class T>
BoundShares UnbiasedCentre::clip(std::span<const T* const> gradients,
                                 std::span<const LaneNumbers> log_densities, std::span<T> psi) {
  solve(gradients, log_densities, psi.size() / kClipLanes);
  set_coefficients(0);
  combine(gradients, psi);
  return shares();
}

template <class T>
void UnbiasedCentre::clip_each(std::span<const T* const> gradients,
                               std::span<const LaneNumbers> log_densities,
                               std::span<std::vector<T>> psi) {
  solve(gradients, log_densities, psi.front().size() / kClipLanes);
  for (std::size_t own = 0; own < outcomes_; ++own) {
    set_coefficients(own);
    combine(gradients, std::span<T>(psi[own]));
  }
}

template <class T>
void UnbiasedCentre::solve(std::span<const T* const> gradients,
                           std::span<const LaneNumbers> log_densities, std::size_t rows) {
  set_probabilities(log_densities);
  set_products(gradients, rows);
  weights_ = probabilities_;
  for (int i = 0; i < iterations_of(outcomes_); ++i) {
    set_kept();
    move_weights();
  }
  set_kept();
  set_remainder();
}

template <class T>
void UnbiasedCentre::combine(std::span<const T* const> gradients, std::span<T> psi) const {
  std::fill(psi.begin(), psi.end(), T{0});
  for (std::size_t k = 0; k < outcomes_; ++k) {
    T factor[kClipLanes];
    for_each_lane(
        [&](std::size_t lane) { factor[lane] = static_cast<T>(coefficients_[k].lane[lane]); });
    for (std::size_t row = 0; row < psi.size(); row += kClipLanes) {
      for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
        psi[row + lane] += factor[lane] * gradients[k][row + lane];
      }
    }
  }
}

void UnbiasedCentre::set_probabilities(std::span<const LaneNumbers> log_densities) {
  const LaneNumbers& own = log_densities[0];
  for_each_lane([&](std::size_t lane) {
    double largest = own.lane[lane], sum = 0.0;
    for (const LaneNumbers& one : log_densities) {
      if (std::isfinite(one.lane[lane])) largest = std::max(largest, one.lane[lane]);
    }
    for (std::size_t k = 0; k < outcomes_; ++k) {
      const double value = log_densities[k].lane[lane];
      probabilities_[k].lane[lane] = std::isfinite(value) ? std::exp(value - largest) : 0.0;
      sum += probabilities_[k].lane[lane];
    }
    for (LaneNumbers& one : probabilities_) one.lane[lane] /= sum;
  });
}

template <class T>
void UnbiasedCentre::set_products(std::span<const T* const> gradients, std::size_t rows) {
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      LaneNumbers sum = {};
      for (std::size_t row = 0; row < rows * kClipLanes; row += kClipLanes) {
        for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
          sum.lane[lane] += static_cast<double>(gradients[k][row + lane]) *
                            static_cast<double>(gradients[l][row + lane]);
        }
      }
      product(k, l) = product(l, k) = sum;
    }
  }
}

void UnbiasedCentre::set_kept() {
  LaneNumbers length = {};  // the square of the centre's
  for (std::size_t k = 0; k < outcomes_; ++k) {
    LaneNumbers along = {};
    for (std::size_t l = 0; l < outcomes_; ++l) {
      for_each_lane([&](std::size_t lane) {
        along.lane[lane] += weights_[l].lane[lane] * product(k, l).lane[lane];
      });
    }
    for_each_lane(
        [&](std::size_t lane) { length.lane[lane] += weights_[k].lane[lane] * along.lane[lane]; });
    distances_[k] = along;
  }
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for_each_lane([&](std::size_t lane) {
      const double squared =
          product(k, k).lane[lane] - 2.0 * distances_[k].lane[lane] + length.lane[lane];
      const double distance = std::sqrt(std::max(0.0, squared));
      distances_[k].lane[lane] = distance;
      kept_[k].lane[lane] = distance > bound_ ? bound_ / distance : 1.0;
    });
  }
}

void UnbiasedCentre::move_weights() {
  LaneNumbers sum = {};
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for_each_lane([&](std::size_t lane) {
      weights_[k].lane[lane] = probabilities_[k].lane[lane] * kept_[k].lane[lane];
      sum.lane[lane] += weights_[k].lane[lane];
    });
  }
  for (LaneNumbers& weight : weights_) {
    for_each_lane([&](std::size_t lane) { weight.lane[lane] /= sum.lane[lane]; });
  }
}

void UnbiasedCentre::set_remainder() {
  LaneNumbers sum = {};
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for_each_lane([&](std::size_t lane) {
      remainder_[k].lane[lane] = probabilities_[k].lane[lane] * kept_[k].lane[lane];
      sum.lane[lane] += remainder_[k].lane[lane];
    });
  }
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for_each_lane([&](std::size_t lane) {
      remainder_[k].lane[lane] -= sum.lane[lane] * weights_[k].lane[lane];
    });
  }
  const LaneNumbers left = square(remainder_);
  for_each_lane([&](std::size_t lane) {
    const double length = std::sqrt(std::max(0.0, left.lane[lane]));
    shrink_.lane[lane] = bound_ / (bound_ + length);
  });
}

void UnbiasedCentre::set_coefficients(std::size_t own) {
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for_each_lane([&](std::size_t lane) {
      const double distance = (k == own ? 1.0 : 0.0) - weights_[k].lane[lane];
      coefficients_[k].lane[lane] =
          (kept_[own].lane[lane] * distance - remainder_[k].lane[lane]) * shrink_.lane[lane];
    });
  }
}

BoundShares UnbiasedCentre::shares() const {
  const LaneNumbers squares = square(coefficients_);
  BoundShares shares;
  for_each_lane([&](std::size_t lane) {
    double longest = 0.0;
    for (std::size_t k = 0; k < outcomes_; ++k) {
      if (probabilities_[k].lane[lane] > 0.0) longest = std::max(longest, distances_[k].lane[lane]);
    }
    const double reached = std::sqrt(std::max(0.0, squares.lane[lane])) / bound_ * kBelow;
    const double share = longest > bound_ ? reached : 1.0;
    shares.lane[lane] = std::min(std::max(kLeastShare, static_cast<float>(share)), 1.0F);
  });
  return shares;
}

LaneNumbers UnbiasedCentre::square(const std::vector<LaneNumbers>& coefficients) const {
  LaneNumbers result = {};
  for (std::size_t k = 0; k < outcomes_; ++k) {
    for (std::size_t l = 0; l < outcomes_; ++l) {
      for_each_lane([&](std::size_t lane) {
        result.lane[lane] +=
            coefficients[k].lane[lane] * coefficients[l].lane[lane] * product(k, l).lane[lane];
      });
    }
  }
  return result;
}

template BoundShares UnbiasedCentre::clip(std::span<const float* const>,
                                          std::span<const LaneNumbers>, std::span<float>);
template BoundShares UnbiasedCentre::clip(std::span<const double* const>,
                                          std::span<const LaneNumbers>, std::span<double>);

template void UnbiasedCentre::clip_each(std::span<const double* const>,
                                        std::span<const LaneNumbers>,
                                        std::span<std::vector<double>>);

}  // namespace dpvi
