#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <benchmarks/record_gradient_by_hand.hpp>

namespace dpvi {

struct BenchRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  // Columns as the hand-written code reads them; its integers are `groups`.
  std::vector<double> by_hand;
  std::vector<std::int32_t> groups;
};

// A program, the size at which it is measured, a generator of mock records, and the hand-written
// code.
struct BenchModel {
  std::string name;
  int dim;
  std::string program;
  std::map<std::string, double> sizes;  // public data
  BenchRecord (*invent)(int dim, std::mt19937_64& random);
  HandModel<float> (*in_single)();
  HandModel<double> (*in_double)();

  template <class T>
  HandModel<T> by_hand() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return in_single();
    } else {
      return in_double();
    }
  }
};

std::vector<BenchModel> bench_models();

}  // namespace dpvi
