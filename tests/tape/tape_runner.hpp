#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

struct TestRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> ints;
  RecordValues values() const { return {reals, ints}; }
};

struct LaneResults {
  std::vector<double> log_density;  // kLanes
  std::vector<double> gradient;     // theta * kLanes
};

// Prepares up to kLanes records, one per lane, and evaluates them as one block with lanes of type
// T.
template <class T = double>
class SharedTapeRunner {
 public:
  explicit SharedTapeRunner(const RecordTape& tape)
      : tape_(tape), preparer_(tape), workspace_(tape) {}

  LaneResults run(const std::vector<double>& theta, const std::vector<TestRecord>& records) {
    const auto real_columns = static_cast<std::size_t>(tape_.real_columns());
    const auto int_columns = static_cast<std::size_t>(tape_.int_columns());
    std::vector<T> reals(real_columns * kLanes, T{0});
    std::vector<std::int32_t> ints(int_columns * kLanes, 0);
    std::vector<double> own_reals(real_columns);
    std::vector<std::int32_t> own_ints(int_columns);
    for (std::size_t l = 0; l < records.size(); ++l) {
      preparer_.prepare(records[l].values(), own_reals.data(), own_ints.data());
      for (std::size_t c = 0; c < real_columns; ++c) {
        reals[c * kLanes + l] = static_cast<T>(own_reals[c]);
      }
      for (std::size_t c = 0; c < int_columns; ++c) ints[c * kLanes + l] = own_ints[c];
    }
    // Previous contents of a block must not matter, so gradients start as NaN.
    std::vector<T> log_density(kLanes);
    std::vector<T> gradient(theta.size() * kLanes, static_cast<T>(std::nan("")));
    tape_.begin_draw(workspace_, theta);
    tape_.evaluate_block(workspace_, {reals.data(), ints.data()}, log_density.data(),
                         gradient.data());
    return {{log_density.begin(), log_density.end()}, {gradient.begin(), gradient.end()}};
  }

 private:
  const RecordTape& tape_;
  RecordPreparer preparer_;
  TapeWorkspace<T> workspace_;
};

// The same, with its own tape.
template <class T = double>
class TapeRunner {
 public:
  TapeRunner(const Graph& graph, NodeId root, std::int32_t theta_size,
             BackendKind backend = best_backend())
      : tape_(graph, root, theta_size, backend), runner_(tape_) {}

  const RecordTape& tape() const { return tape_; }
  LaneResults run(const std::vector<double>& theta, const std::vector<TestRecord>& records) {
    return runner_.run(theta, records);
  }

 private:
  RecordTape tape_;
  SharedTapeRunner<T> runner_;
};

inline std::vector<BackendKind> available_backends() {
  std::vector<BackendKind> kinds;
  for (const BackendKind kind : kBackends) {
    if (is_available(kind)) kinds.push_back(kind);
  }
  return kinds;
}

inline std::vector<double> random_reals(std::mt19937_64& random, std::int32_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::int32_t i = 0; i < count; ++i) values.push_back(normal(random));
  return values;
}

// Equal, both NaN, or within a relative tolerance; numbers near 0 are compared absolutely.
inline bool close(double a, double b, double tolerance = 1e-10) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::fabs(a - b) <= tolerance * std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
}

}  // namespace dpvi
