// refused: not a( class)? template|specialization of non-template
#include <dpvi/privacy/gaussian_mechanism.hpp>

namespace dpvi {

struct Outsider;

#ifndef CONTROL
template <>
class GaussianMechanism<Outsider> {
 public:
  auto look(ClippedSum& sum) { return sum.storage_.get(); }
};
#endif

}  // namespace dpvi
