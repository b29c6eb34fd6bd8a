#pragma once

namespace dpvi {

// An additional coordinate of every record's clipped vector that says whether its gradient was
// shortened. The share of such records is thus released in the same sum and under the same noise,
// at no additional privacy cost. The coordinate is +size g / m for a shortened record and
// -size (1 - g) / m for any other, where g is the target share of unshortened records and m the
// larger of g and 1 - g. At the target, its sum is zero on average, whatever the number of records.
// A record that counts as zero has 0 here too.
struct ClipCoordinate {
  double size = 0.25;              // in clip bounds; the gradient's bound becomes sqrt(1 - size^2)
  double unshortened_share = 0.9;  // g, from .05 to 1

  double larger_share() const {
    return unshortened_share < 0.5 ? 1.0 - unshortened_share : unshortened_share;
  }
};

}  // namespace dpvi
