// Cost of exact Poisson sampling per record and per selected record, compared with a plain loop
// that compares one word of std::mt19937_64 per record. Batch sizes are checked before timing.
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <vector>

#include <benchmarks/best_time.hpp>
#include <dpvi/random/poisson_sampling.hpp>

namespace dpvi {
namespace {

// The total over 20 steps must be within 6 standard errors of its expectation.
bool sizes_are_right(const SecureGenerator& generator, const PoissonSampler& sampler) {
  constexpr std::uint64_t kSteps = 20;
  double selected = 0;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    selected += static_cast<double>(sampler.sample(generator, step).size());
  }
  const double rate = sampler.rate().value();
  const double trials = static_cast<double>(kSteps * sampler.record_count());
  return std::abs(selected - rate * trials) <= 6 * std::sqrt(rate * (1 - rate) * trials);
}

double sampler_time(const SecureGenerator& generator, const PoissonSampler& sampler) {
  std::vector<std::uint64_t> records;
  std::uint64_t step = 0;
  return best_time([&] {
    records.clear();
    for (std::uint64_t block = 0; block < sampler.block_count(); ++block) {
      sampler.append_block(generator, step, block, records);
    }
    ++step;
    keep(records.data());
  });
}

double plain_loop_nanoseconds_per_record(SamplingRate rate) {
  constexpr std::uint64_t kRecords = 1'000'000;
  std::mt19937_64 engine(1);
  std::vector<std::uint64_t> records;
  const double time = best_time([&] {
    records.clear();
    for (std::uint64_t record = 0; record < kRecords; ++record) {
      if (engine() <= rate.last_selecting_word()) records.push_back(record);
    }
    keep(records.data());
  });
  return time / kRecords;
}

void measure(const SecureGenerator& generator, double rate, std::uint64_t record_count) {
  const PoissonSampler sampler(SamplingRate::from_double(rate), record_count);
  if (!sizes_are_right(generator, sampler)) {
    fmt::print(stderr, "sampling: batch sizes are wrong at rate {}\n", rate);
    std::exit(EXIT_FAILURE);
  }
  const double time = sampler_time(generator, sampler);
  const double per_record = time / static_cast<double>(record_count);
  const double plain = plain_loop_nanoseconds_per_record(sampler.rate());
  fmt::print("{:>8} {:>12} {:>10.5f} {:>10.2f} {:>10.2f} {:>10.6f}\n", rate, record_count,
             per_record, per_record / rate, plain, per_record / plain);
}

void run() {
  const SecureGenerator generator;
  fmt::print("one thread; ns per record, ns per selected record, plain loop's ns per record\n");
  fmt::print("{:>8} {:>12} {:>10} {:>10} {:>10} {:>10}\n", "rate", "records", "record", "selected",
             "plain", "ratio");
  for (const double rate : {1.0, 0.5, 0.1, 0.02, 0.0199, 0.01}) {
    measure(generator, rate, 1'000'000);
  }
  for (const double rate : {1e-3, 1e-4, 1e-6}) measure(generator, rate, 100'000'000);
}

}  // namespace
}  // namespace dpvi

int main() { dpvi::run(); }
