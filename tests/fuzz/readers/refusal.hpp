#pragma once

#include <dpvi/base/error.hpp>

namespace dpvi {

// Runs a reader and accepts that it refuses its input. Returns true if it does not.
template <class Read>
bool allow_refusal(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code().kind == ErrorKind::internal) throw;
    return false;
  }
}

}  // namespace dpvi
