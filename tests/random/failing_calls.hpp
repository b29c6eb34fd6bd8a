#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dpvi {

// What the test program's own getrandom(2) and OpenSSL calls do (failing_calls_test.cpp defines
// functions of those names, which the linker prefers). The library has no such switch.
enum class KernelEntropy { real, fails, ends, interrupted_then_real, counts_up_two_at_a_time };
enum class FailingCall { none, new_context, copy_context, init, update, short_update };

struct CallPlan {
  KernelEntropy entropy = KernelEntropy::real;
  FailingCall failing = FailingCall::none;
};

extern CallPlan call_plan;

}  // namespace dpvi
