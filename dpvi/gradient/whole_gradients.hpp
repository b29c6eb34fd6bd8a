#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/gradient/clip_path.hpp>

namespace dpvi {

// Internal to record gradients: a block of gradients with respect to theta, over all coordinates,
// and what the clipper gets in their place.
template <class T>
class WholeGradients {
 public:
  WholeGradients(const ClipTask& task, std::int32_t theta_size);

  // Entry j of lane k is entries()[kLanes j + k].
  std::span<T> entries() { return entries_; }

  // Converts the entries to working coordinates, in place, and adds them to the clipper or, if the
  // task has joint terms, those. Bit k of `lanes` is set if lane k counts.
  void clip(std::uint32_t lanes, GridClipper& clipper, const BoundShares& shares = kWholeBound);

 private:
  void set_terms();

  const Coordinates& coordinates_;
  std::span<const GradientTerm> joint_;
  std::vector<T> entries_;
  std::vector<T> terms_;  // the joint terms
};

}  // namespace dpvi
