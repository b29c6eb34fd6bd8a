#pragma once

#include <dpvi/gradient/product_run.hpp>

namespace dpvi {

// Internal to record gradients: conditionally unbiased clipping of an outcome with two values.
//
// Let p be the probability of the record's own value given the rest of the record, and g its
// gradient. The law is normalised, so the other value has the gradient -p g / (1 - p). The clipped
// gradient psi must have mean zero under the law and norm at most C for both values. So it is g,
// shortened by one factor for both values:
//   psi = g min(1, C / max(|g|, |g| p / (1 - p))),
// which is g clipped to the share min(1, (1 - p) / p) of C. (1 - p) / p is the ratio of the two
// densities. (Kuensch, Stefanski & Carroll 1989.)
//
// Returns that share for each lane, from the log densities of the own and of the other value. It is
// the least share if the ratio is not a number. A lane's share depends on that lane alone.
template <class T>
BoundShares bound_shares(const T* own_log_density, const T* other_log_density);

}  // namespace dpvi
