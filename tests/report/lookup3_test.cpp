#include <dpvi/report/netcdf/lookup3.hpp>

#include <gtest/gtest.h>

namespace dpvi {
namespace {

// The author of the function publishes both values in lookup3.c.
TEST(Lookup3, PublishedValuesAreFound) {
  EXPECT_EQ(lookup3(""), 0xDEADBEEF);
  EXPECT_EQ(lookup3("Four score and seven years ago"), 0x17770551U);
}

}  // namespace
}  // namespace dpvi
