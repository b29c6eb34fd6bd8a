#pragma once

#include <gtest/gtest.h>

#include <string>

#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

// Tests that run once for each instruction set. The baseline runs everywhere; sets that the
// processor lacks are reported as skipped.
class EveryInstructionSet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "this processor lacks the instruction set";
  }
};

inline const auto kEveryInstructionSet =
    testing::Values(InstructionSet::baseline, InstructionSet::avx2);

inline std::string name_of_set(const testing::TestParamInfo<InstructionSet>& set) {
  return set.param == InstructionSet::avx2 ? "Avx2" : "Baseline";
}

}  // namespace dpvi
