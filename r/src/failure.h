#pragma once

#include <dpvi/base/error.hpp>

#include <cpp11.hpp>

// The only place where errors of the library become values of R. Errors return as a list of class
// dpvi_failure, which R turns into a condition: no jump of R passes through C++ code.
cpp11::list failure_of(const dpvi::Error& error);
cpp11::list failure_of_machine(const char* what);

template <class Call>
SEXP guarded(const Call& call) {
  try {
    return call();
  } catch (const dpvi::Error& error) {
    return failure_of(error);
  } catch (const cpp11::unwind_exception&) {
    throw;
  } catch (const std::exception& error) {
    return failure_of_machine(error.what());
  }
}
