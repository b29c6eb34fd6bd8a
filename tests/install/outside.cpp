#include <cstdio>
#include <dpvi/base/error.hpp>

int main() {
  const dpvi::UsageError error(dpvi::kValueOutsideRule, "works from outside.", "");
  std::puts(error.what());
}
