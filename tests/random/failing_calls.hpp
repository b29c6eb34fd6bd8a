#pragma once

namespace dpvi {

// The OpenSSL call that fails. fail_closed_test.cpp defines functions of those names, which the
// linker prefers; the library has no such switch. kernel_entropy.hpp does the same for
// getrandom(2).
enum class FailingCall { none, new_context, copy_context, init, update, short_update };

extern FailingCall failing_call;

}  // namespace dpvi
