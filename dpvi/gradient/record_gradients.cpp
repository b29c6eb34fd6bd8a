#include <dpvi/gradient/record_gradients.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include <dpvi/base/floating_point_mode.hpp>
#include <dpvi/base/stopwatch.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/gradient/row_sums.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = RecordTable::kLanes;
static_assert(kLaneCount == GridClipper::kLanes && kLaneCount == static_cast<std::size_t>(kLanes));

// Records that one worker takes at a time: with many rows each, fewer of them.
std::size_t chunk_size(const RecordTable& table) {
  constexpr std::uint64_t kBlocks = 32;
  const std::uint64_t rows = table.row_count() / std::max<std::uint64_t>(table.record_count(), 1);
  return kLaneCount * std::max<std::uint64_t>(kBlocks / std::max<std::uint64_t>(rows, 1), 1);
}

std::size_t numbers_of(std::int32_t rows) { return static_cast<std::size_t>(rows) * kLaneCount; }

// What one thread needs to evaluate blocks of its own.
template <class T>
struct Worker {
  Worker(const RecordTape& tape)
      : workspace(tape),
        reals(numbers_of(tape.real_columns())),
        integers(numbers_of(tape.int_columns())),
        rows(numbers_of(tape.rows().size())),
        own(numbers_of(tape.rows().own_rows)) {}

  TapeWorkspace<T> workspace;
  LaneBuffer<T> reals;
  std::vector<std::int32_t> integers;
  T log_density[kLaneCount] = {};
  LaneBuffer<T> rows;  // the gradient, with the tape's rows
  std::vector<std::int32_t> own;
  // The gradient, with all coordinates, where coordinates mix or rows of the table are added up.
  std::vector<T> all;
  std::vector<T> terms;  // what is made of it
  std::optional<GridClipper> clipper;
  Stopwatch clip_time;

  // Log densities and gradients, in rows, of at most kLaneCount rows of the table; the lanes that
  // count.
  std::uint32_t evaluate(const RecordTape& tape, const RecordTable& table,
                         std::span<const std::uint64_t> table_rows) {
    const std::uint32_t usable =
        table.load_lanes(table_rows, std::span(reals.data(), reals.size()), integers);
    tape.evaluate_rows(workspace, {reals.data(), integers.data()}, log_density, rows.data(),
                       own.data());
    return usable;
  }

  std::uint32_t finite_lanes() const {
    std::uint32_t finite = 0;
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      finite |= (std::isfinite(log_density[lane]) ? 1u : 0u) << lane;
    }
    return finite;
  }

  // Where coordinates scale, and nothing else, a gradient stays in rows.
  void clip_rows(const RecordTape& tape, const Coordinates& coordinates, std::uint32_t lanes) {
    const std::span<T> block(rows.data(), rows.size());
    coordinates.pull_back_rows(tape.rows(), block, own);
    clipper->add(std::span<const T>(block), lanes, own);
  }

  void spread(const RecordTape& tape) {
    all.resize(numbers_of(tape.theta_size()));
    spread_rows(tape.rows(), rows.data(), own.data(), all.data(), tape.theta_size());
  }

  void clip_all(const Coordinates& coordinates, std::uint32_t lanes,
                std::span<const GradientTerm> joint) {
    coordinates.pull_back_lanes(std::span<T>(all));
    if (joint.empty()) {
      clipper->add(std::span<const T>(all), lanes);
      return;
    }
    terms.resize(joint.size() * kLaneCount);
    for (std::size_t j = 0; j < joint.size(); ++j) {
      const T* from = &all[joint[j].coordinate * kLaneCount];
      const T factor = static_cast<T>(joint[j].factor);
      for (std::size_t k = 0; k < kLaneCount; ++k) terms[j * kLaneCount + k] = from[k] * factor;
    }
    clipper->add(std::span<const T>(terms), lanes);
  }

  // Sums of the gradients of each record's rows, one row of every record at a time; the lanes of
  // records with a row that counts. Rows of one record may touch different coordinates.
  std::uint32_t sum_rows(const RecordTape& tape, const RecordTable& table,
                         std::span<const std::uint64_t> records) {
    all.assign(numbers_of(tape.theta_size()), T{0});
    std::uint32_t counting = 0;
    for_each_row(table, records, [&](std::span<const std::uint64_t> table_rows) {
      std::uint32_t lanes = evaluate(tape, table, table_rows);
      lanes &= finite_lanes() & lanes_of_finite(rows.data(), rows.size());
      add_rows(tape.rows(), rows.data(), own.data(), lanes, all.data());
      counting |= lanes;
    });
    return counting;
  }
};

}  // namespace

class RecordGradients::Lanes {
 public:
  virtual ~Lanes() = default;
  virtual ClippedSum clipped_sum(const ClipSettings& settings, const Coordinates& coordinates,
                                 std::span<const double> theta,
                                 std::span<const std::uint64_t> records,
                                 std::span<const GradientTerm> joint) = 0;
  virtual ValueAndGradient plain_value(std::span<const double> theta,
                                       std::span<const std::uint64_t> records) = 0;
  virtual double clip_seconds() const = 0;

  bool measures_clipping = false;
};

template <class T>
class RecordGradients::LanesOf final : public Lanes {
 public:
  LanesOf(const RecordTape& tape, const RecordTable& table, int threads)
      : tape_(tape), table_(table), chunk_size_(chunk_size(table)), team_(threads) {
    for (int worker = 0; worker < threads; ++worker) {
      workers_.push_back(std::make_unique<Worker<T>>(tape));
    }
  }

  ClippedSum clipped_sum(const ClipSettings& settings, const Coordinates& coordinates,
                         std::span<const double> theta, std::span<const std::uint64_t> records,
                         std::span<const GradientTerm> joint) override {
    const bool one_row = table_.rows_are_records();
    const bool in_rows = one_row && coordinates.is_diagonal() && joint.empty();
    for (const auto& worker : workers_) {
      if (in_rows) {
        worker->clipper.emplace(settings, tape_.rows());
      } else {
        worker->clipper.emplace(settings);
      }
    }
    for_each_chunk(theta, records, [&](Worker<T>& worker, std::size_t, auto block) {
      std::uint32_t lanes = 0;
      if (one_row) {
        lanes = worker.evaluate(tape_, table_, block) & worker.finite_lanes();
      } else {
        lanes = worker.sum_rows(tape_, table_, block);
      }
      if (measures_clipping) worker.clip_time.start();
      if (in_rows) {
        worker.clip_rows(tape_, coordinates, lanes);
      } else {
        if (one_row) worker.spread(tape_);
        worker.clip_all(coordinates, lanes, joint);
      }
      if (measures_clipping) worker.clip_time.stop();
    });
    ClippedSum total = workers_[0]->clipper->take_sum();
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      total.merge(workers_[i]->clipper->take_sum());
    }
    return total;
  }

  ValueAndGradient plain_value(std::span<const double> theta,
                               std::span<const std::uint64_t> records) override {
    const auto dimension = static_cast<std::size_t>(tape_.theta_size());
    const std::size_t chunks = (records.size() + chunk_size_ - 1) / chunk_size_;
    // Sums of doubles depend on their order: one per chunk, then added up in the order of chunks.
    std::vector<double> values(chunks, 0.0);
    std::vector<double> gradients(chunks * dimension, 0.0);
    for_each_chunk(theta, records, [&](Worker<T>& worker, std::size_t chunk, auto block) {
      for_each_row(table_, block, [&](std::span<const std::uint64_t> rows) {
        const std::uint32_t usable = worker.evaluate(tape_, table_, rows);
        for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
          if ((usable >> lane & 1u) == 0) continue;
          values[chunk] += static_cast<double>(worker.log_density[lane]);
          add_lane(worker, lane, &gradients[chunk * dimension]);
        }
      });
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

  double clip_seconds() const override {
    double sum = 0.0;
    for (const auto& worker : workers_) sum += worker->clip_time.seconds();
    return sum / static_cast<double>(workers_.size());
  }

 private:
  void add_lane(Worker<T>& worker, std::size_t lane, double* sum) const {
    const T* entry = worker.rows.data() + lane;
    const std::int32_t* own = worker.own.data() + lane;
    for (std::int32_t coordinate : tape_.rows().coordinates) {
      if (coordinate == GradientRows::kOwn) {
        coordinate = *own;
        own += kLaneCount;
      }
      if (coordinate != kNoCoordinate) sum[coordinate] += static_cast<double>(*entry);
      entry += kLaneCount;
    }
  }

  // Calls each(worker, chunk, block of records) for every block; the blocks of one chunk come in
  // order and from one thread.
  template <class EachBlock>
  void for_each_chunk(std::span<const double> theta, std::span<const std::uint64_t> records,
                      const EachBlock& each) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&](int number) {
      const StandardFloatingPoint standard;  // the same in every thread
      Worker<T>& worker = *workers_[static_cast<std::size_t>(number)];
      tape_.begin_draw(worker.workspace, theta);
      while (true) {
        const std::size_t chunk = next.fetch_add(1);
        if (chunk * chunk_size_ >= records.size()) return;
        auto rest = records.subspan(chunk * chunk_size_);
        rest = rest.first(std::min(chunk_size_, rest.size()));
        table_.prefetch(rest.first(std::min(kLaneCount, rest.size())));
        while (!rest.empty()) {
          const std::size_t taken = std::min(kLaneCount, rest.size());
          const auto block = rest.first(taken);
          rest = rest.subspan(taken);
          table_.prefetch(rest.first(std::min(kLaneCount, rest.size())));
          each(worker, chunk, block);
        }
      }
    };
    // Waking the others costs more than one chunk.
    if (records.size() <= chunk_size_) {
      work(0);
    } else {
      team_.run(work);
    }
  }

  const RecordTape& tape_;
  const RecordTable& table_;
  std::size_t chunk_size_;
  ThreadTeam team_;
  std::vector<std::unique_ptr<Worker<T>>> workers_;
};

RecordGradients::RecordGradients(const RecordTape& tape, const RecordTable& table, int threads) {
  if (table.precision() == Precision::single_precision) {
    lanes_ = std::make_unique<LanesOf<float>>(tape, table, threads);
  } else {
    lanes_ = std::make_unique<LanesOf<double>>(tape, table, threads);
  }
}

RecordGradients::~RecordGradients() = default;

ClippedSum RecordGradients::clipped_sum(const ClipSettings& settings,
                                        const Coordinates& coordinates,
                                        std::span<const double> theta,
                                        std::span<const std::uint64_t> records,
                                        std::span<const GradientTerm> joint) {
  return lanes_->clipped_sum(settings, coordinates, theta, records, joint);
}

void RecordGradients::measure_clipping(bool wanted) { lanes_->measures_clipping = wanted; }

double RecordGradients::clip_seconds() const { return lanes_->clip_seconds(); }

UnclippedSum RecordGradients::plain_sum(std::span<const double> theta,
                                        std::span<const std::uint64_t> records) {
  return {plain_value(theta, records).gradient};
}

RecordGradients::ValueAndGradient RecordGradients::plain_value(
    std::span<const double> theta, std::span<const std::uint64_t> records) {
  return lanes_->plain_value(theta, records);
}

}  // namespace dpvi
