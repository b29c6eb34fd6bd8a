#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <dpvi/dpvi.hpp>
#include <tests/support/kernel_entropy.hpp>

namespace dpvi {

// Every key from the kernel is the same during its lifetime.
class SameKeys {
 public:
  SameKeys() { kernel_entropy = KernelEntropy::counts_up_two_at_a_time; }
  ~SameKeys() { kernel_entropy = KernelEntropy::real; }
  SameKeys(const SameKeys&) = delete;
  SameKeys& operator=(const SameKeys&) = delete;
};

inline constexpr const char* kWardProgram = R"(
data {
  int<lower=0> N;
  int<lower=1> K;
  vector[N] y;
  array[N] int<lower=1, upper=K> ward;
}
parameters { real mu; vector[K] shift; }
model {
  mu ~ normal(0, 3);
  shift ~ normal(0, 1);
  for (n in 1:N) y[n] ~ normal(mu + shift[ward[n]], 2);
}
)";

inline constexpr const char* kWardSchema = R"(
[table]
rows = 300
[columns.y]
mean = 3
sd = 2
if_missing = 3
[columns.ward]
type = "category"
levels = ["medical", "surgical"]
)";

inline Program ward_program() {
  return read_program({.model_file = "wards.stan",
                       .model_text = kWardProgram,
                       .schema_file = "wards.toml",
                       .schema_text = kWardSchema,
                       .public_data = {{"K", public_number(2, "the test")}}});
}

// The same 300 records as a CSV text and as columns in memory. Some cells are missing, and some
// texts are no level.
struct WardRecords {
  std::string csv = "ward,y\n";
  std::vector<double> y;
  std::vector<std::int32_t> wards;

  WardRecords() {
    const std::string texts[] = {"medical", "surgical", "unknown"};
    for (int i = 0; i < 300; ++i) {
      const int ward = i % 7 == 0 ? 2 : i % 2;
      const bool missing = i % 11 == 0;
      const double value = 2.5 + 0.125 * (i % 9) + ward;
      csv += texts[ward] + "," + (missing ? "NA" : std::to_string(value)) + "\n";
      y.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : value);
      wards.push_back(ward);
    }
  }

  MemoryTable in_memory() const {
    return MemoryTable(
        {{"ward", CodedTexts{{"medical", "surgical", "unknown"}, wards}}, {"y", Numbers(y)}});
  }
};

}  // namespace dpvi
