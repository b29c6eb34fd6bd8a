// Cost of clipping a block of records to the integer grid, per coordinate of a record, compared
// with a plain sum of the same block over its lanes. The integers are checked before timing.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLanes = GridClipper::kLanes;
constexpr std::uint32_t kAllLanes = 0xffff;
constexpr double kNoiseMultiplier = 2.0;

template <class T>
std::vector<T> normal_block(std::size_t dimension) {
  std::mt19937_64 engine(20240611);
  std::normal_distribution<double> normal;
  std::vector<T> block(kLanes * dimension);
  for (T& entry : block) entry = static_cast<T>(normal(engine));
  return block;
}

// Time of the fastest of several rounds; slower rounds were disturbed.
template <class Work>
double nanoseconds(std::size_t repeats, Work work) {
  double best = INFINITY;
  for (int round = 0; round < 15; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < repeats; ++i) work();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / static_cast<double>(repeats));
  }
  return best;
}

template <class T>
void plain_sum(const std::vector<T>& block, std::vector<T>& sums) {
  for (std::size_t j = 0; j < sums.size(); ++j) {
    T sum = 0;
    for (std::size_t k = 0; k < kLanes; ++k) sum += block[j * kLanes + k];
    sums[j] += sum;
  }
  asm volatile("" : : "r"(sums.data()) : "memory");
}

// Every integer must be within a few grid steps plus two millionths of the scaled gradient.
template <class T>
bool integers_are_right(const std::vector<T>& block, const ClipSettings& settings) {
  const auto bound = static_cast<double>(settings.grid.integer_bound());
  GridClipper clipper(settings);
  for (std::size_t k = 0; k < kLanes; ++k) {
    clipper.add(std::span<const T>(block), 1u << k);
    const auto released = UnprotectedMechanism().release(Collective().reduce(clipper.take_sum()));
    double square_sum = 0.0;
    for (std::size_t i = k; i < block.size(); i += kLanes) square_sum += std::pow(block[i], 2);
    const double factor = std::min(1.0, settings.clip_bound / std::sqrt(square_sum));
    for (std::size_t j = 0; j < settings.dimension; ++j) {
      const double steps = bound / settings.clip_bound;
      const double expected = static_cast<double>(block[j * kLanes + k]) * factor * steps;
      const double allowed = 1.001 + 0x1p-19 * std::fabs(expected);
      if (!(std::fabs(released.values()[j] * steps - expected) <= allowed)) return false;
    }
  }
  return true;
}

template <class T>
void measure(const char* precision, std::size_t dimension, bool clipped) {
  const std::vector<T> block = normal_block<T>(dimension);
  const double typical_norm = std::sqrt(static_cast<double>(dimension));
  const ClipSettings settings{.grid = NoiseGrid(kNoiseMultiplier),
                              .clip_bound = clipped ? 0.1 * typical_norm : 10.0 * typical_norm,
                              .dimension = dimension,
                              .max_records = 1u << 30};
  if (!integers_are_right(block, settings)) {
    fmt::print(stderr, "clip: wrong integers at dimension {}\n", dimension);
    std::exit(EXIT_FAILURE);
  }
  GridClipper clipper(settings);
  std::vector<T> sums(dimension);
  const std::size_t repeats = 200000 / dimension + 1;
  const double scale = 1.0 / static_cast<double>(block.size());
  const double clip_time =
      scale * nanoseconds(repeats, [&] { clipper.add(std::span<const T>(block), kAllLanes); });
  const double sum_time = scale * nanoseconds(repeats, [&] { plain_sum(block, sums); });
  fmt::print("{:<7} {:>9} {:<9} {:>8.3f} {:>10.3f} {:>6.1f}\n", precision, dimension,
             clipped ? "clipped" : "unclipped", clip_time, sum_time, clip_time / sum_time);
}

}  // namespace
}  // namespace dpvi

int main() {
  fmt::print("nanoseconds per coordinate of a record, one thread\n");
  fmt::print("{:<7} {:>9} {:<9} {:>8} {:>10} {:>6}\n", "", "dimension", "records", "clip",
             "plain sum", "ratio");
  for (const std::size_t dimension : {10u, 100u, 1000u}) {
    for (const bool clipped : {false, true}) {
      dpvi::measure<float>("float", dimension, clipped);
      dpvi::measure<double>("double", dimension, clipped);
    }
  }
}
