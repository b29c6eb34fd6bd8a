#pragma once

namespace dpvi {

// Names a private member for tests, since the library gives them no access. C++ does not check
// access in an explicit instantiation,
//   struct Tag { friend auto private_member(Tag); };
//   template struct PrivateMember<Tag, &Class::member_>;
// after which private_member(Tag{}) is the pointer to the member.
template <class Tag, auto kMember>
struct PrivateMember {
  friend auto private_member(Tag) { return kMember; }
};

}  // namespace dpvi
