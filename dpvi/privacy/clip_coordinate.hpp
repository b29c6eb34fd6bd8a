#pragma once

namespace dpvi {

// One more coordinate of every record's clipped vector, which says whether its gradient had to be
// shortened: so the share of such records is released under the same noise, in the same sum and at
// no cost of its own. It is +size for a record that was shortened and -size (1 - g) / g for one
// that was not, g being the target share of unshortened records; the sum is then zero on average at
// the target, whatever the number of records. A record that counts as zero has 0 here too.
struct ClipCoordinate {
  double size = 0.25;              // in clip bounds; the gradient keeps sqrt(1 - size^2) of them
  double unshortened_share = 0.9;  // g, from .5 up
};

}  // namespace dpvi
