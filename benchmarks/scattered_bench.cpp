// Time per record gradient, clipped to the grid and summed, of records scattered over a table much
// larger than any cache, compared with records that stay in cache. The model is logistic regression
// with 100 coefficients on one in a hundred of a million records, in single precision and one
// thread. Scattered records must have the same sum as the same records stored contiguously.
//
//   scattered [RECORDS]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <benchmarks/best_time.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kCoefficients = 100;
constexpr std::int32_t kParameters = kCoefficients + 1;
constexpr std::uint64_t kOneIn = 100;
constexpr std::uint64_t kResident = 512;  // records that fit in the level 2 cache

RecordTape logistic_tape() {
  GraphBuilder g;
  const NodeId predictor =
      g.add(g.theta(0), g.dot(g.theta(1, kCoefficients), g.record_real(0, kCoefficients)));
  const NodeId sign = g.record_real(kCoefficients);
  const NodeId root = g.unary(Op::log_inv_logit, g.mul(sign, predictor));
  return RecordTape(g.graph(), root, kParameters);
}

using Records = std::vector<std::uint64_t>;

// Record i is the same in every table.
RecordTable table_of(const RecordTape& tape, const Records& records) {
  RecordTable table(static_cast<std::size_t>(tape.real_columns()), 0, Precision::single_precision);
  RecordPreparer preparer(tape);
  std::vector<double> raw(kCoefficients + 1);
  std::vector<double> reals(table.real_slots());
  for (const std::uint64_t record : records) {
    std::minstd_rand random(static_cast<std::uint_fast32_t>(record + 1));
    for (double& x : raw) x = static_cast<double>(random()) / 0x1p30 - 1.0;
    raw.back() = record % 2 == 0 ? 1.0 : -1.0;
    preparer.prepare({raw, {}}, reals.data(), nullptr);
    table.append(reals, {});
  }
  return table;
}

Records first(std::uint64_t count) {
  Records records(count);
  std::iota(records.begin(), records.end(), std::uint64_t{0});
  return records;
}

// Records are in ascending order, as from a sampler.
Records scattered(std::uint64_t count, std::mt19937_64& random) {
  Records records;
  for (std::uint64_t record = 0; record < count; ++record) {
    if (random() % kOneIn == 0) records.push_back(record);
  }
  return records;
}

class Gradients {
 public:
  Gradients(const RecordTape& tape, const RecordTable& table) : gradients_(tape, table, 1) {}

  ClippedSum sum(const Records& records) {
    return Collective().reduce(gradients_.clipped_sums(settings_, coordinates_, theta_, records));
  }

 private:
  RecordGradients gradients_;
  const ClipSettings settings_{.grid = NoiseGrid(2.0),
                               .clip_bound = 1.0,
                               .dimension = kParameters,
                               .max_records = std::uint64_t{1} << 32};
  const Coordinates coordinates_ = Coordinates::identity(kParameters);
  const std::vector<double> theta_ = std::vector<double>(kParameters, 0.01);
};

bool same_sum(ClippedSum a, ClippedSum b) {
  return std::ranges::equal(UnprotectedMechanism().release(std::move(a)).values(),
                            UnprotectedMechanism().release(std::move(b)).values());
}

int run(std::uint64_t count) {
  const RecordTape tape = logistic_tape();
  const RecordTable large = table_of(tape, first(count));
  const RecordTable small = table_of(tape, first(kResident));
  std::mt19937_64 random(3);
  std::vector<Records> samples;  // a new sample each time, so that none is in cache
  for (int i = 0; i < 40; ++i) samples.push_back(scattered(count, random));
  Gradients of_large(tape, large);
  Gradients of_small(tape, small);

  const RecordTable side_by_side = table_of(tape, samples[0]);
  if (!same_sum(of_large.sum(samples[0]),
                Gradients(tape, side_by_side).sum(first(samples[0].size())))) {
    fmt::print(stderr, "scattered records have another sum than the same side by side\n");
    return 1;
  }

  const Records resident = first(kResident);
  const auto per_record = [](Gradients& gradients, const Records& records) {
    const double start = processor_time();
    gradients.sum(records);
    return (processor_time() - start) / static_cast<double>(records.size());
  };
  // Keeps the fastest time of each kind, measured alternately; slower ones were disturbed.
  double far = HUGE_VAL;
  double near = HUGE_VAL;
  for (const Records& sample : samples) {
    far = std::min(far, per_record(of_large, sample));
    for (int pass = 0; pass < 20; ++pass) near = std::min(near, per_record(of_small, resident));
  }
  fmt::print("{} records: {:.1f} ns a scattered record gradient, {:.1f} in cache, ratio {:.2f}\n",
             count, far, near, far / near);
  return 0;
}

}  // namespace
}  // namespace dpvi

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "usage: scattered [RECORDS]\n");
    return 64;
  }
  return dpvi::run(argc == 2 ? std::stoull(argv[1]) : 1'000'000);
}
