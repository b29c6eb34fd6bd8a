#pragma once

#include <gtest/gtest.h>

#include <string>

#include <dpvi/tape/lanes/tape_backend.hpp>

namespace dpvi {

// Tests that run once for each backend. The portable one runs everywhere; backends that the
// processor cannot run are reported as skipped.
class EveryBackend : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "this processor lacks the instructions";
  }
};

inline const auto kEveryBackend = testing::ValuesIn(kBackends);

inline std::string name_of_backend(const testing::TestParamInfo<BackendKind>& backend) {
  return std::string(name_of(backend.param));
}

}  // namespace dpvi
