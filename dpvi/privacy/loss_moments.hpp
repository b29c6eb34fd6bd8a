#pragma once

#include <vector>

#include <dpvi/privacy/dominating_pair.hpp>

namespace dpvi {

// Cumulant generating function of one step's privacy loss L under P, with its first two
// derivatives, at a tilt.
struct Cumulants {
  double value = 0;     // ln E_P[e^(tilt L)]
  double mean = 0;      // of L under the tilted law
  double variance = 0;  // of L under the tilted law
};

// Fast quadrature of one step's loss distribution, restricted to [first, last] in x. It guides
// searches and grid choices; no certified result depends on it.
class LossMoments {
 public:
  LossMoments(const DominatingPair<double>& pair, double first, double last);

  Cumulants at(double tilt) const;
  double log_moment(double tilt) const;

 private:
  std::vector<double> loss_;
  std::vector<double> mass_;
};

}  // namespace dpvi
