#pragma once

namespace dpvi {

// Which of its calls OpenSSL refuses. fail_closed_test.cpp defines functions of those names, which
// the linker prefers; the library has no such switch. What getrandom(2) does is kernel_entropy.
enum class FailingCall { none, new_context, copy_context, init, update, short_update };

extern FailingCall failing_call;

}  // namespace dpvi
