// Cost of exact noise per coordinate, compared with the inexact normal draws of the standard
// library. Mean and variance are checked before timing.
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <vector>

#include <benchmarks/best_time.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kCoordinates = 100'000;

// Checks mean 0 and standard deviation 2^24 to within 6 standard errors.
bool noise_is_right(SecureStream& stream) {
  constexpr std::size_t kDraws = 10 * kCoordinates;
  std::vector<std::int64_t> draws(kDraws, 0);
  add_rounded_gaussian(stream, draws);
  double sum = 0;
  double squares = 0;
  for (const std::int64_t draw : draws) {
    const double z = static_cast<double>(draw) / (1 << kNoiseBits);
    sum += z;
    squares += z * z;
  }
  return std::abs(sum / kDraws) < 6 * std::sqrt(1.0 / kDraws) &&
         std::abs(squares / kDraws - 1) < 6 * std::sqrt(2.0 / kDraws);
}

double words_time(SecureStream& stream) {
  std::vector<std::uint64_t> words(kCoordinates);
  return best_time([&] {
    stream.fill(words);
    keep(words.data());
  });
}

double noise_time(SecureStream& stream) {
  std::vector<std::int64_t> sums(kCoordinates, 0);
  return best_time([&] {
    add_rounded_gaussian(stream, sums);
    keep(sums.data());
  });
}

double public_draws_time() {
  SeededStream stream = SeededGenerator(1).stream({StreamLabel::variational_draw, 0, 0});
  std::vector<double> draws(kCoordinates);
  return best_time([&] {
    fill_standard_normal(stream, draws);
    keep(draws.data());
  });
}

double library_time() {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<double> draws(kCoordinates);
  return best_time([&] {
    for (double& draw : draws) draw = normal(engine);
    keep(draws.data());
  });
}

void print_row(const char* name, double time, double reference) {
  fmt::print("{:<44} {:>8.2f} {:>8.2f}\n", name, time / kCoordinates, time / reference);
}

void run() {
  const SecureGenerator generator;
  SecureStream stream = generator.stream({StreamLabel::noise, 0, 0});
  if (!noise_is_right(stream)) {
    fmt::print(stderr, "noise: moments are wrong\n");
    std::exit(EXIT_FAILURE);
  }
  const double reference = library_time();
  fmt::print("{:<44} {:>8} {:>8}\n", "one thread, 100 000 coordinates", "ns each", "ratio");
  print_row("std::normal_distribution, mt19937_64", reference, reference);
  print_row("add_rounded_gaussian, exact, secure", noise_time(stream), reference);
  print_row("fill_standard_normal, seeded", public_draws_time(), reference);
  print_row("64-bit words of a SecureStream", words_time(stream), reference);
}

}  // namespace
}  // namespace dpvi

int main() { dpvi::run(); }
