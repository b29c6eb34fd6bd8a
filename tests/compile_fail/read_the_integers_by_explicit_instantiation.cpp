// refused: incomplete type
#include <dpvi/privacy/clipped_sum.hpp>

// C++ does not check access in an explicit instantiation, so the member can be named here.
template <class Tag, auto kMember>
struct Thief {
  friend auto stolen(Tag) { return kMember; }
};
struct Tag {
  friend auto stolen(Tag);
};
template struct Thief<Tag, &dpvi::ClippedSum::storage_>;

auto outsider(dpvi::ClippedSum& sum) {
#ifndef CONTROL
  return (sum.*stolen(Tag{}))->sums;
#else
  return (sum.*stolen(Tag{})).get();
#endif
}
