// refused: incomplete type
#include <memory>

#include <dpvi/privacy/clipped_sum.hpp>

namespace dpvi {

// Impersonates a friend class by its name.
class Collective {
 public:
  using Stolen = ClippedSum::Storage;
#ifndef CONTROL
  ClippedSum forge() { return ClippedSum(std::unique_ptr<Stolen>(new Stolen)); }
#endif
};

}  // namespace dpvi
