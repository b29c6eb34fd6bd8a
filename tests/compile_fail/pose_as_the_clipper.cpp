// refused: incomplete type
#include <memory>

#include <dpvi/privacy/clipped_sum.hpp>

namespace dpvi {

// An impostor under the name of a friend.
class GridClipper {
 public:
  using Stolen = ClippedSum::Storage;
#ifndef CONTROL
  ClippedSum forge() { return ClippedSum(std::unique_ptr<Stolen>(new Stolen)); }
#endif
};

}  // namespace dpvi
