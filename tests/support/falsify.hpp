#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <tests/support/hostile_gradients.hpp>
#include <tests/support/private_step.hpp>

namespace dpvi {

// Attempts to falsify what a private step claims. Each answers with its objection, or with nothing
// if it found none. Statistical ones allow five standard errors and fix their keys.
using Objection = std::string;

inline std::vector<std::int64_t> integers_of_batch(const PrivateStep& step, const Table& table,
                                                   const Batch& batch) {
  ClippedSum sum = step.sum(table, batch);
  return integers_for_tests(sum);
}

inline Batch first_records(std::size_t count) {
  Batch batch(count);
  std::iota(batch.begin(), batch.end(), 0u);
  return batch;
}

// A record whose opposite, three times as long, follows it; zero; hostile ones.
inline Table sensitivity_table(std::size_t dimension) {
  HostileGradients<float> gradients(dimension, 3);
  Table table = {gradients.filled(7.0f), gradients.filled(-21.0f), gradients.filled(0.0f)};
  for (int i = 0; i < 60; ++i)
    table.push_back(i % 2 == 0 ? gradients.normal(1.0) : gradients.any());
  return table;
}

// Adding a record must move the sum by that record's own vector, of norm at most D over all its
// coordinates.
inline Objection object_to_sensitivity(Mutation mutation,
                                       std::optional<ClipCoordinate> coordinate = {}) {
  for (const double multiplier : {0.25, 1.0, 2.3}) {
    const Table table = sensitivity_table(12);
    const PrivateStep step(mutation,
                           {.grid = NoiseGrid(multiplier),
                            .dimension = 12,
                            .record_count = table.size(),
                            .coordinate = coordinate},
                           1);
    const std::size_t dimension = step.settings().width();
    std::vector<std::int64_t> before(dimension, 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto after = integers_of_batch(step, table, first_records(i + 1));
      const auto alone = integers_of_batch(step, table, {i});
      std::vector<std::int64_t> move(dimension);
      for (std::size_t j = 0; j < dimension; ++j) move[j] = after[j] - before[j];
      if (exact_square_sum(move) > exact_square(step.settings().grid.integer_bound())) {
        return "a record moves the sum by more than the bound";
      }
      if (move != alone) return "a record's part in the sum depends on other records";
      before = after;
    }
  }
  return {};
}

inline Objection object_to_order(Mutation mutation) {
  Table table = sensitivity_table(12);
  StepSettings settings{.dimension = 12, .record_count = table.size()};
  Batch batch = first_records(table.size());
  const auto expected = integers_of_batch(PrivateStep(mutation, settings, 1), table, batch);
  for (const std::size_t parts : {1u, 2u, 3u, 7u}) {
    settings.parts = parts;
    std::mt19937_64 engine(parts);
    std::shuffle(batch.begin(), batch.end(), engine);
    if (integers_of_batch(PrivateStep(mutation, settings, 1), table, batch) != expected) {
      return "the sum depends on the order of the records or the number of parts";
    }
  }
  return {};
}

// A record that is not finite must not move the sum at all.
inline Objection object_to_zeroed_records(Mutation mutation, const ClipCoordinate& coordinate) {
  HostileGradients<float> gradients(7, 6);
  const PrivateStep step(mutation, {.dimension = 7, .coordinate = coordinate}, 1);
  for (int i = 0; i < 20; ++i) {
    if (!all_zero(integers_of_batch(step, {gradients.not_finite()}, {0}))) {
      return "a record that counts as zero moves the sum";
    }
  }
  return {};
}

inline Objection object_to_dropped_records(Mutation mutation) {
  HostileGradients<float> gradients(20, 5);
  for (const double multiplier : {0.25, 1.0, 2.3}) {
    const PrivateStep step(mutation, {.grid = NoiseGrid(multiplier), .dimension = 20}, 1);
    for (int i = 0; i < 50; ++i) {
      if (all_zero(integers_of_batch(step, {gradients.normal(1.0)}, {0}))) {
        return "a finite record is dropped";
      }
    }
  }
  return {};
}

inline double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The noise of a step without records, in units of its standard deviation, must be independent
// standard normal: over coordinates and between steps, however many parts the sum has.
inline Objection object_to_noise(Mutation mutation) {
  for (const std::size_t parts : {1u, 3u}) {
    constexpr std::size_t kDimension = 20000;
    PrivateStep step(mutation,
                     {.sampling_rate = 0x1p-60,
                      .grid = NoiseGrid(1.0),
                      .dimension = kDimension,
                      .record_count = 1,
                      .parts = parts},
                     9);
    const Table table = {std::vector<float>(kDimension, 1.0f)};
    const std::vector<double> first = step.run(table, 0);
    const std::vector<double> second = step.run(table, 1);
    const double count = static_cast<double>(kDimension);
    for (const auto* noise : {&first, &second}) {
      // Chi-square with kDimension degrees of freedom.
      if (std::fabs(inner_product(*noise, *noise) - count) > 5.0 * std::sqrt(2.0 * count)) {
        return "the noise of a step without records is not of the stated size";
      }
    }
    if (std::fabs(inner_product(first, second)) > 5.0 * std::sqrt(count)) {
      return "the noise of two steps is correlated";
    }
  }
  return {};
}

// Each of N records must be in a batch with probability q: the number over many steps is
// binomial.
inline Objection object_to_batches(Mutation mutation) {
  const StepSettings settings{.sampling_rate = 0.1, .record_count = 20};
  const PrivateStep step(mutation, settings, 11);
  constexpr std::uint64_t kSteps = 4000;
  double selected = 0.0;
  for (std::uint64_t t = 0; t < kSteps; ++t) {
    selected += static_cast<double>(step.sample(t).size());
  }
  const double trials = static_cast<double>(kSteps * settings.record_count);
  const double q = settings.sampling_rate;
  if (std::fabs(selected - trials * q) > 5.0 * std::sqrt(trials * q * (1.0 - q))) {
    return "records are not sampled at the stated rate";
  }
  return {};
}

}  // namespace dpvi
