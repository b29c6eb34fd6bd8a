#include <dpvi/gradient/bound_shares.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {

template <class T>
BoundShares bound_shares(const T* own_log_density, const T* other_log_density) {
  BoundShares shares;
  for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
    const auto ratio =
        static_cast<float>(std::exp(other_log_density[lane] - own_log_density[lane]));
    // The order of the operands turns a NaN into the least share.
    shares.lane[lane] = std::min(std::max(kLeastShare, ratio), 1.0F);
  }
  return shares;
}

template BoundShares bound_shares(const float*, const float*);
template BoundShares bound_shares(const double*, const double*);

}  // namespace dpvi
