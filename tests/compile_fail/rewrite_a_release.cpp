// refused: incomplete type
#include <dpvi/privacy/released.hpp>

// C++ does not check access in an explicit instantiation, so the member can be named here.
template <class Tag, auto kMember>
struct Thief {
  friend auto stolen(Tag) { return kMember; }
};
struct Tag {
  friend auto stolen(Tag);
};
template struct Thief<Tag, &dpvi::Released::content_>;

void outsider(dpvi::Released& released) {
  auto& content = released.*stolen(Tag{});
#ifndef CONTROL
  content->values[0] = 1.0;
#endif
  static_cast<void>(content);
}
