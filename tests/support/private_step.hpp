#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/random/poisson_sampling.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/fixed_key_generator.hpp>
#include <tests/support/lane_block.hpp>
#include <tests/support/reference_clip.hpp>

namespace dpvi {

// One thing that a private step may get wrong.
enum class Mutation {
  none,
  noise_times_09,
  noise_per_part,       // each thread adds noise of its own
  reused_stream,        // every step takes its noise from the same stream
  clip_after_sum,       // the sum is clipped, not the records
  mean_by_batch,        // divided by the realised batch instead of the expected one
  skipped_empty_batch,  // a step without records releases nothing
  floating_point_sum,
  rate_plus_one_record,  // sampling rate q + 1/N
  truncated_check,
  no_rescue,
  mark_on_top,    // the integer check leaves the clip coordinate out
  mark_on_zeroed  // a record that is not finite keeps its clip coordinate
};

struct StepSettings {
  double sampling_rate = 0.5;
  NoiseGrid grid{1.0};
  double clip_bound = 1.0;
  std::size_t dimension = 1;
  std::uint64_t record_count = 1;
  std::size_t parts = 1;  // partial sums, as threads would make them
  std::optional<ClipCoordinate> coordinate = std::nullopt;

  std::size_t width() const { return dimension + (coordinate ? 1 : 0); }
};

using Table = std::vector<std::vector<float>>;
using Batch = std::vector<std::uint64_t>;

// Sample, clip, sum, add noise: the step of a private fit. Without a mutation every stage is the
// library's own; a mutation replaces one stage.
class PrivateStep {
 public:
  PrivateStep(Mutation mutation, const StepSettings& settings, std::uint64_t key)
      : mutation_(mutation),
        settings_(settings),
        sampling_(FixedKeyForTests::generator(2 * key)),
        noise_(FixedKeyForTests::generator(2 * key + 1)),
        mechanism_(FixedKeyForTests::generator(2 * key + 1)) {}

  std::vector<double> run(const Table& table, std::uint64_t step) {
    const Batch batch = sample(step);
    return release(sum(table, batch), batch.size(), step);
  }

  Batch sample(std::uint64_t step) const {
    double rate = settings_.sampling_rate;
    if (mutation_ == Mutation::rate_plus_one_record) {
      rate += 1.0 / static_cast<double>(settings_.record_count);
    }
    return PoissonSampler(SamplingRate::from_double(rate), settings_.record_count)
        .sample(sampling_, step);
  }

  ClippedSum sum(const Table& table, const Batch& batch) const {
    switch (mutation_) {
      case Mutation::clip_after_sum:
        return clip_of_sum(table, batch);
      case Mutation::mean_by_batch:
        return mean_of_clipped(table, batch);
      case Mutation::floating_point_sum:
        return floating_point_sum(table, batch);
      case Mutation::truncated_check:
        return sum_of_mutants(table, batch, ClipMutation::truncated_check);
      case Mutation::no_rescue:
        return sum_of_mutants(table, batch, ClipMutation::no_rescue);
      case Mutation::mark_on_top:
        return sum_of_mutants(table, batch, ClipMutation::mark_on_top);
      case Mutation::mark_on_zeroed:
        return sum_of_mutants(table, batch, ClipMutation::mark_on_zeroed);
      default:
        return clipped_sum(table, batch);
    }
  }

  // In units of the clip bound.
  std::vector<double> release(ClippedSum sum, std::size_t batch_size, std::uint64_t step) {
    switch (mutation_) {
      case Mutation::noise_times_09:
        add_noise(sum, step, 0, 0.9);
        break;
      case Mutation::noise_per_part:
        for (std::size_t part = 0; part < settings_.parts; ++part) add_noise(sum, step, part, 1.0);
        break;
      case Mutation::reused_stream:
        add_noise(sum, 0, 0, 1.0);
        break;
      case Mutation::skipped_empty_batch:
        if (batch_size == 0) return std::vector<double>(settings_.dimension, 0.0);
        [[fallthrough]];
      default:
        return values_of(mechanism_.release(std::move(sum)));
    }
    return values_of(UnprotectedMechanism().release(std::move(sum)));
  }

  const StepSettings& settings() const { return settings_; }

 private:
  ClipSettings clip_settings() const {
    return {.grid = settings_.grid,
            .clip_bound = settings_.clip_bound,
            .dimension = settings_.dimension,
            .max_records = std::max<std::uint64_t>(settings_.record_count, 1000),
            .coordinate = settings_.coordinate};
  }

  std::vector<double> values_of(const Released& released) const {
    std::vector<double> values(released.values().begin(), released.values().end());
    for (double& value : values) value /= settings_.clip_bound;
    return values;
  }

  ClippedSum empty_sum() const { return GridClipper(clip_settings()).take_sum(); }

  // Part p takes every parts-th record of the batch.
  ClippedSum clipped_sum(const Table& table, const Batch& batch) const {
    ClippedSum total = empty_sum();
    for (std::size_t part = 0; part < settings_.parts; ++part) {
      GridClipper clipper(clip_settings());
      for (std::size_t first = part; first < batch.size();
           first += settings_.parts * GridClipper::kLanes) {
        ClipLanes<float> block(settings_.dimension, std::numeric_limits<float>::quiet_NaN());
        for (std::size_t k = 0; k < GridClipper::kLanes; ++k) {
          const std::size_t i = first + k * settings_.parts;
          if (i < batch.size()) block.put(k, table[batch[i]]);
        }
        clipper.add(std::span<const float>(block.entries()), block.active_lanes());
      }
      total.merge(clipper.take_sum());
    }
    return total;
  }

  ClippedSum clip_of_sum(const Table& table, const Batch& batch) const {
    std::vector<float> raw(settings_.dimension, 0.0f);
    for (const std::uint64_t i : batch) {
      for (std::size_t j = 0; j < raw.size(); ++j) raw[j] += table[i][j];
    }
    return clipped_sum({raw}, {0});
  }

  ClippedSum mean_of_clipped(const Table& table, const Batch& batch) const {
    ClippedSum total = clipped_sum(table, batch);
    if (batch.empty()) return total;
    const double expected = settings_.sampling_rate * static_cast<double>(settings_.record_count);
    for (std::int64_t& n : integers_for_tests(total)) {
      n = std::llround(static_cast<double>(n) * expected / static_cast<double>(batch.size()));
    }
    return total;
  }

  // Clips and sums as most programs do, and puts the sum on the grid at the end.
  ClippedSum floating_point_sum(const Table& table, const Batch& batch) const {
    std::vector<float> total(settings_.dimension, 0.0f);
    for (std::size_t part = 0; part < settings_.parts; ++part) {
      std::vector<float> partial(settings_.dimension, 0.0f);
      for (std::size_t i = part; i < batch.size(); i += settings_.parts) {
        ClippedSum one = clipped_sum(table, {batch[i]});
        for (std::size_t j = 0; j < partial.size(); ++j) {
          partial[j] += static_cast<float>(integers_for_tests(one)[j]);
        }
      }
      for (std::size_t j = 0; j < total.size(); ++j) total[j] += partial[j];
    }
    ClippedSum result = empty_sum();
    for (std::size_t j = 0; j < total.size(); ++j) {
      integers_for_tests(result)[j] = std::llround(total[j]);
    }
    return result;
  }

  ClippedSum sum_of_mutants(const Table& table, const Batch& batch, ClipMutation mutation) const {
    const ClipTarget target = clip_target(clip_settings());
    ClippedSum total = empty_sum();
    for (const std::uint64_t i : batch) {
      const std::vector<std::int32_t> integers = reference_clip(target, table[i], mutation);
      for (std::size_t j = 0; j < integers.size(); ++j) {
        integers_for_tests(total)[j] += integers[j];
      }
    }
    return total;
  }

  void add_noise(ClippedSum& sum, std::uint64_t step, std::uint64_t block, double factor) const {
    std::vector<std::int64_t> noise(settings_.dimension, 0);
    SecureStream stream =
        noise_.stream({.label = StreamLabel::noise, .step = step, .block = block});
    add_rounded_gaussian(stream, noise);
    for (std::size_t j = 0; j < noise.size(); ++j) {
      integers_for_tests(sum)[j] += std::llround(static_cast<double>(noise[j]) * factor);
    }
  }

  Mutation mutation_;
  StepSettings settings_;
  SecureGenerator sampling_;
  SecureGenerator noise_;
  GaussianMechanism mechanism_;
};

}  // namespace dpvi
