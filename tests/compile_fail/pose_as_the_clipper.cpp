// refused: incomplete type
#include <memory>

#include <dpvi/privacy/partial_sum.hpp>

namespace dpvi {

// Impersonates a friend class by its name.
class GridClipper {
 public:
  using Stolen = PartialSum::Storage;
#ifndef CONTROL
  PartialSum forge() { return PartialSum(std::unique_ptr<Stolen>(new Stolen)); }
#endif
};

}  // namespace dpvi
