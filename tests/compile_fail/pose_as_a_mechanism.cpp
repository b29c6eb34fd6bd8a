// refused: incomplete type
#include <memory>

#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Impersonates a friend class by its name.
class GaussianMechanism {
 public:
  using Stolen = Released::Content;
#ifndef CONTROL
  Released forge() { return Released(std::shared_ptr<const Stolen>(new Stolen)); }
#endif
};

}  // namespace dpvi
