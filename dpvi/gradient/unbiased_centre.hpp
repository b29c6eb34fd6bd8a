#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/gradient/product_run.hpp>

namespace dpvi {

// A number for each lane.
struct alignas(64) LaneNumbers {
  double lane[kClipLanes];
};

// The bound on the norm of a gradient that is left beside the clip coordinate, in gradient units.
double gradient_bound(const ClipSettings& settings);

// Internal to record gradients: conditionally unbiased clipping (Kuensch, Stefanski & Carroll 1989)
// of a block of records with M outcomes each.
//
// Lane by lane, let g_k be the gradients of the outcomes and p_k their probabilities, which follow
// from the log densities. The centre c solves sum_k p_k clip_C(g_k - c) = 0. It is a mean of the
// g_k, with weights proportional to p_k min(1, C / |g_k - c|). A fixed number of iterations of that
// formula gives c; all norms follow from the inner products of the g_k. What remains of the sum,
// r, is subtracted as well, and all is scaled back to norm C:
//   psi = (clip_C(g_0 - c) - r) C / (C + |r|),
// with g_0 the gradient of the record's own outcome. So psi has mean zero under the law exactly,
// whether or not the iterations have converged.
//
// Guarantee: no lane waits for another to converge; its psi depends on its own content alone.
class UnbiasedCentre {
 public:
  UnbiasedCentre(std::size_t outcomes, double bound);

  // gradients[k] is a block with the gradients of outcome k; number 0 is the record's own outcome.
  // Writes psi as a block. An outcome whose log density is not finite has probability zero. A lane
  // in which something else is not finite gets a psi that is not finite.
  //
  // Returns a share of the bound for each lane. It is 1 if no outcome of the record is shortened,
  // else slightly below |psi| / C, so that the clipper counts the record as shortened.
  template <class T>
  BoundShares clip(std::span<const T* const> gradients, std::span<const LaneNumbers> log_densities,
                   std::span<T> psi);

  // The same for every outcome in place of the record's own: psi[k] is that of outcome k.
  template <class T>
  void clip_each(std::span<const T* const> gradients, std::span<const LaneNumbers> log_densities,
                 std::span<std::vector<T>> psi);

 private:
  // Finds the centre.
  template <class T>
  void solve(std::span<const T* const> gradients, std::span<const LaneNumbers> log_densities,
             std::size_t rows);
  // Combines the gradients with the present coefficients.
  template <class T>
  void combine(std::span<const T* const> gradients, std::span<T> psi) const;
  void set_probabilities(std::span<const LaneNumbers> log_densities);
  template <class T>
  void set_products(std::span<const T* const> gradients, std::size_t rows);
  // One iteration; `kept_` is that of the present weights.
  void move_weights();
  // Sets distances of the gradients from the mean with the present weights, and their kept shares.
  void set_kept();
  // Sets r as a combination of the gradients, and C / (C + |r|).
  void set_remainder();
  // Sets the coefficients of the psi of outcome `own` as a combination of the gradients.
  void set_coefficients(std::size_t own);
  // The lanes' shares with the present coefficients.
  BoundShares shares() const;
  // coefficients' * products * coefficients.
  LaneNumbers square(const std::vector<LaneNumbers>& coefficients) const;

  LaneNumbers& product(std::size_t k, std::size_t l) { return products_[k * outcomes_ + l]; }
  const LaneNumbers& product(std::size_t k, std::size_t l) const {
    return products_[k * outcomes_ + l];
  }

  LaneNumbers shrink_ = {};  // C / (C + |r|)
  std::size_t outcomes_;
  double bound_;
  std::vector<LaneNumbers> products_;  // inner products of the gradients
  std::vector<LaneNumbers> probabilities_;
  std::vector<LaneNumbers> weights_;       // of the gradients in c
  std::vector<LaneNumbers> distances_;     // |g_k - c|
  std::vector<LaneNumbers> kept_;          // min(1, C / |g_k - c|)
  std::vector<LaneNumbers> remainder_;     // of the gradients in r
  std::vector<LaneNumbers> coefficients_;  // of the gradients in psi
};

}  // namespace dpvi
