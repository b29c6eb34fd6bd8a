#include <dpvi/gradient/record_gradients.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include <dpvi/base/floating_point_mode.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = RecordTable::kLanes;
static_assert(kLaneCount == GridClipper::kLanes && kLaneCount == static_cast<std::size_t>(kLanes));

// Records that one worker takes at a time.
constexpr std::size_t kChunk = 32 * kLaneCount;

}  // namespace

// What one thread needs to evaluate blocks of its own.
struct RecordGradients::Worker {
  explicit Worker(const RecordTape& tape)
      : workspace(tape),
        reals(static_cast<std::size_t>(tape.real_columns()) * kLaneCount),
        integers(static_cast<std::size_t>(tape.int_columns()) * kLaneCount),
        gradient(static_cast<std::size_t>(tape.theta_size()) * kLaneCount) {}

  TapeWorkspace workspace;
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  double log_density[kLaneCount] = {};
  std::vector<double> gradient;
  std::optional<GridClipper> clipper;

  // Log densities and gradients of at most kLaneCount records; the lanes that count.
  std::uint32_t evaluate(const RecordTape& tape, const RecordTable& table,
                         std::span<const std::uint64_t> records) {
    const std::uint32_t usable = table.load_lanes(records, reals, integers);
    tape.evaluate_block(workspace, {reals.data(), integers.data()}, log_density, gradient.data());
    return usable;
  }
};

RecordGradients::RecordGradients(const RecordTape& tape, const RecordTable& table, int threads)
    : tape_(&tape), table_(&table), team_(threads) {
  for (int worker = 0; worker < threads; ++worker) {
    workers_.push_back(std::make_unique<Worker>(tape));
  }
}

RecordGradients::~RecordGradients() = default;

// Calls each(worker, chunk, block of records) for every block; the blocks of one chunk come in
// order and from one thread.
template <class EachBlock>
void RecordGradients::for_each_chunk(std::span<const double> theta,
                                     std::span<const std::uint64_t> records,
                                     const EachBlock& each) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&](int number) {
    const StandardFloatingPoint standard;  // the same in every thread
    Worker& worker = *workers_[static_cast<std::size_t>(number)];
    tape_->begin_draw(worker.workspace, theta);
    while (true) {
      const std::size_t chunk = next.fetch_add(1);
      if (chunk * kChunk >= records.size()) return;
      auto rest = records.subspan(chunk * kChunk);
      rest = rest.first(std::min(kChunk, rest.size()));
      table_->prefetch(rest.first(std::min(kLaneCount, rest.size())));
      while (!rest.empty()) {
        const std::size_t taken = std::min(kLaneCount, rest.size());
        const auto block = rest.first(taken);
        rest = rest.subspan(taken);
        table_->prefetch(rest.first(std::min(kLaneCount, rest.size())));
        each(worker, chunk, block);
      }
    }
  };
  // Waking the others costs more than one chunk.
  if (records.size() <= kChunk) {
    work(0);
  } else {
    team_.run(work);
  }
}

ClippedSum RecordGradients::clipped_sum(const ClipSettings& settings,
                                        const Coordinates& coordinates,
                                        std::span<const double> theta,
                                        std::span<const std::uint64_t> records) {
  for (const auto& worker : workers_) worker->clipper.emplace(settings);
  for_each_chunk(theta, records, [&](Worker& worker, std::size_t, auto block) {
    std::uint32_t usable = worker.evaluate(*tape_, *table_, block);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if (!std::isfinite(worker.log_density[lane])) usable &= ~(1u << lane);
    }
    coordinates.pull_back_lanes(worker.gradient);
    worker.clipper->add(std::span<const double>(worker.gradient), usable);
  });
  ClippedSum total = workers_[0]->clipper->take_sum();
  for (std::size_t i = 1; i < workers_.size(); ++i) total.merge(workers_[i]->clipper->take_sum());
  return total;
}

UnclippedSum RecordGradients::plain_sum(std::span<const double> theta,
                                        std::span<const std::uint64_t> records) {
  return {plain_value(theta, records).gradient};
}

RecordGradients::ValueAndGradient RecordGradients::plain_value(
    std::span<const double> theta, std::span<const std::uint64_t> records) {
  const auto dimension = static_cast<std::size_t>(tape_->theta_size());
  const std::size_t chunks = (records.size() + kChunk - 1) / kChunk;
  // Sums of doubles depend on their order: one per chunk, then added up in the order of chunks.
  std::vector<double> values(chunks, 0.0);
  std::vector<double> gradients(chunks * dimension, 0.0);
  for_each_chunk(theta, records, [&](Worker& worker, std::size_t chunk, auto block) {
    const std::uint32_t usable = worker.evaluate(*tape_, *table_, block);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if ((usable >> lane & 1u) == 0) continue;
      values[chunk] += worker.log_density[lane];
      double* sum = &gradients[chunk * dimension];
      for (std::size_t j = 0; j < dimension; ++j) sum[j] += worker.gradient[j * kLaneCount + lane];
    }
  });
  ValueAndGradient total{0.0, std::vector<double>(dimension, 0.0)};
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    total.value += values[chunk];
    for (std::size_t j = 0; j < dimension; ++j) {
      total.gradient[j] += gradients[chunk * dimension + j];
    }
  }
  return total;
}

}  // namespace dpvi
