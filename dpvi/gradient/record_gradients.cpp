#include <dpvi/gradient/record_gradients.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include <dpvi/base/floating_point_mode.hpp>
#include <dpvi/base/stopwatch.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/gradient/product_terms.hpp>
#include <dpvi/gradient/row_sums.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = RecordTable::kLanes;
static_assert(kLaneCount == GridClipper::kLanes && kLaneCount == static_cast<std::size_t>(kLanes));

// Number of records that a worker takes at a time; smaller if records have many rows.
std::size_t chunk_size(const RecordTable& table) {
  constexpr std::uint64_t kBlocks = 32;
  const std::uint64_t rows = table.row_count() / std::max<std::uint64_t>(table.record_count(), 1);
  return kLaneCount * std::max<std::uint64_t>(kBlocks / std::max<std::uint64_t>(rows, 1), 1);
}

// Number of records that are prefetched while others are evaluated.
constexpr std::size_t kRecordsAhead = 2 * kLaneCount;

// Up to `count` records, starting at `first`.
std::span<const std::uint64_t> part_of(std::span<const std::uint64_t> records, std::size_t first,
                                       std::size_t count) {
  const auto rest = records.subspan(std::min(first, records.size()));
  return rest.first(std::min(count, rest.size()));
}

std::size_t numbers_of(std::int32_t rows) { return static_cast<std::size_t>(rows) * kLaneCount; }

// State with which one thread evaluates several consecutive blocks at once.
template <class T>
struct Worker {
  Worker(const RecordTape& tape, std::size_t blocks_at_once)
      : workspace(tape),
        reals(blocks_at_once * numbers_of(tape.real_columns())),
        integers(blocks_at_once * numbers_of(tape.int_columns())),
        log_density(blocks_at_once * kLaneCount),
        rows(blocks_at_once * numbers_of(tape.rows().size())),
        own(blocks_at_once * numbers_of(tape.rows().per_lane_rows)),
        usable(blocks_at_once) {}

  TapeWorkspace<T> workspace;
  LaneBuffer<T> reals;
  std::vector<std::int32_t> integers;
  std::vector<T> log_density;
  LaneBuffer<T> rows;  // gradients, in the tape's rows
  std::vector<std::int32_t> own;
  std::vector<std::uint32_t> usable;       // for each block, the lanes that count
  std::span<const std::uint64_t> pending;  // records still to be prefetched
  // The gradient over all coordinates, used unless gradients stay in rows.
  std::vector<T> all;
  std::vector<T> terms;  // the joint terms derived from `all`
  std::optional<GridClipper> clipper;
  std::optional<ProductTerms<T>> products;  // set if products are clipped without being written out
  Stopwatch clip_time;

  void begin_draw(const RecordTape& tape, std::span<const double> theta) {
    tape.begin_draw(workspace, theta);
    if (products) products->set_centres(tape, workspace);
  }

  // The part of an array that belongs to one block.
  template <class Number>
  std::span<Number> part(std::span<Number> of_all, std::size_t block) const {
    const std::size_t size = of_all.size() / usable.size();
    return of_all.subspan(block * size, size);
  }
  std::span<T> rows_of(std::size_t block) {
    return part(std::span(rows.data(), rows.size()), block);
  }
  std::span<T> reals_of(std::size_t block) {
    return part(std::span(reals.data(), reals.size()), block);
  }
  std::span<const std::int32_t> own_of(std::size_t block) const {
    return part(std::span(own), block);
  }

  // Prefetches up to `count` of the records that come next. Calls are small and spread between
  // other work, because a processor stalls once it has as many loads outstanding as it can track.
  void prefetch_next(const RecordTable& table, std::size_t count) {
    const std::size_t taken = std::min(count, pending.size());
    table.prefetch(pending.first(taken));
    pending = pending.subspan(taken);
  }

  // Evaluates log densities and gradients, in rows, of rows of the table. Returns the number of
  // blocks.
  std::size_t evaluate(const RecordTape& tape, const RecordTable& table,
                       std::span<const std::uint64_t> table_rows) {
    std::size_t blocks = 0;
    for (; !table_rows.empty(); ++blocks) {
      const std::size_t taken = std::min(kLaneCount, table_rows.size());
      usable[blocks] = table.load_lanes(table_rows.first(taken), reals_of(blocks),
                                        part(std::span(integers), blocks));
      prefetch_next(table, kLaneCount / 4);
      table_rows = table_rows.subspan(taken);
    }
    const LaneBlock<T> block{reals.data(), integers.data()};
    prefetch_next(table, kLaneCount / 4);
    if (products) {
      tape.evaluate_factors(workspace, block, log_density.data(), rows.data(), own.data(), blocks);
    } else {
      tape.evaluate_rows(workspace, block, log_density.data(), rows.data(), own.data(), blocks);
    }
    return blocks;
  }

  std::uint32_t finite_lanes(std::size_t block) const {
    std::uint32_t finite = 0;
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      finite |= (std::isfinite(log_density[block * kLaneCount + lane]) ? 1u : 0u) << lane;
    }
    return finite;
  }

  std::uint32_t counting_lanes(std::size_t block) const {
    return usable[block] & finite_lanes(block);
  }

  // Clips gradients that stay in rows. The coordinates must be diagonal.
  void clip_rows(const RecordTape& tape, const RecordTable& table, const Coordinates& coordinates,
                 std::size_t blocks) {
    for (std::size_t block = 0; block < blocks; ++block) {
      prefetch_next(table, kLaneCount / 2);
      coordinates.pull_back_rows(tape.rows(), rows_of(block), own_of(block),
                                 products ? std::span<const ProductRows>(tape.products())
                                          : std::span<const ProductRows>());
      usable[block] = counting_lanes(block);
      if (!products) continue;
      clipper->add_products(rows_of(block), products->runs_of(reals_of(block).data()),
                            usable[block], own_of(block));
    }
    if (products) return;
    const std::span<const T> all_rows(rows.data(), blocks * numbers_of(tape.rows().size()));
    clipper->add(all_rows, std::span<const std::uint32_t>(usable).first(blocks),
                 std::span<const std::int32_t>(own).first(blocks * own_of(0).size()));
  }

  void spread(const RecordTape& tape, std::size_t block) {
    all.resize(numbers_of(tape.theta_size()));
    spread_rows(tape.rows(), rows_of(block).data(), own_of(block).data(), all.data(),
                tape.theta_size());
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

  // Sums the gradients of each record's rows, one row of every record at a time. Returns the lanes
  // of records with at least one row that counts. Rows of one record may touch different
  // coordinates.
  std::uint32_t sum_rows(const RecordTape& tape, const RecordTable& table,
                         std::span<const std::uint64_t> records) {
    all.assign(numbers_of(tape.theta_size()), T{0});
    std::uint32_t counting = 0;
    for_each_row(table, records, [&](std::span<const std::uint64_t> table_rows) {
      evaluate(tape, table, table_rows);
      const std::span<const T> gradient = rows_of(0);
      const std::uint32_t lanes =
          usable[0] & finite_lanes(0) & lanes_of_finite(gradient.data(), gradient.size());
      add_rows(tape.rows(), gradient.data(), own.data(), lanes, all.data());
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
      : tape_(tape),
        table_(table),
        chunk_size_(chunk_size(table)),
        blocks_at_once_(table.rows_are_records() ? tape.blocks_at_once<T>() : 1),
        team_(threads) {
    for (int worker = 0; worker < threads; ++worker) {
      workers_.push_back(std::make_unique<Worker<T>>(tape, blocks_at_once_));
    }
  }

  ClippedSum clipped_sum(const ClipSettings& settings, const Coordinates& coordinates,
                         std::span<const double> theta, std::span<const std::uint64_t> records,
                         std::span<const GradientTerm> joint) override {
    const bool one_row = table_.rows_are_records();
    const bool in_rows = one_row && coordinates.is_diagonal() && joint.empty();
    for (const auto& worker : workers_) {
      worker->products.reset();
      if (in_rows && !tape_.products().empty()) worker->products.emplace(tape_, coordinates);
      if (in_rows) {
        worker->clipper.emplace(settings, tape_.rows());
      } else {
        worker->clipper.emplace(settings);
      }
    }
    for_each_chunk(theta, records, [&](Worker<T>& worker, std::size_t, auto chosen) {
      std::size_t blocks = 1;
      std::uint32_t summed = 0;  // lanes that count if records have several rows
      if (one_row) {
        blocks = worker.evaluate(tape_, table_, chosen);
      } else {
        summed = worker.sum_rows(tape_, table_, chosen);
      }
      if (measures_clipping) worker.clip_time.start();
      if (in_rows) worker.clip_rows(tape_, table_, coordinates, blocks);
      for (std::size_t block = 0; block < blocks && !in_rows; ++block) {
        worker.prefetch_next(table_, kLaneCount / 2);
        if (one_row) worker.spread(tape_, block);
        worker.clip_all(coordinates, one_row ? worker.counting_lanes(block) : summed, joint);
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
    for (const auto& worker : workers_) worker->products.reset();
    const auto dimension = static_cast<std::size_t>(tape_.theta_size());
    const std::size_t chunks = (records.size() + chunk_size_ - 1) / chunk_size_;
    // Sums of doubles depend on their order: each chunk has its own sum, and these are added in
    // order.
    std::vector<double> values(chunks, 0.0);
    std::vector<double> gradients(chunks * dimension, 0.0);
    for_each_chunk(theta, records, [&](Worker<T>& worker, std::size_t chunk, auto chosen) {
      for_each_row(table_, chosen, [&](std::span<const std::uint64_t> rows) {
        const std::size_t lanes = kLaneCount * worker.evaluate(tape_, table_, rows);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          if ((worker.usable[lane / kLaneCount] >> lane % kLaneCount & 1u) == 0) continue;
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
    const T* entry = worker.rows_of(lane / kLaneCount).data() + lane % kLaneCount;
    const std::int32_t* own = worker.own_of(lane / kLaneCount).data() + lane % kLaneCount;
    for (std::int32_t coordinate : tape_.rows().coordinates) {
      if (coordinate == GradientRows::kOwn) {
        coordinate = *own;
        own += kLaneCount;
      }
      if (coordinate != kNoCoordinate) sum[coordinate] += static_cast<double>(*entry);
      entry += kLaneCount;
    }
  }

  // Calls each(worker, chunk, records) with as many blocks of records as are evaluated at once. The
  // calls for one chunk come in order and from one thread.
  template <class EachBlock>
  void for_each_chunk(std::span<const double> theta, std::span<const std::uint64_t> records,
                      const EachBlock& each) {
    const std::size_t at_once = kLaneCount * blocks_at_once_;
    const std::size_t ahead = std::max(at_once, kRecordsAhead);
    table_.prefetch(part_of(records, 0, ahead));
    std::atomic<std::size_t> next = 0;
    const auto work = [&](int number) {
      const StandardFloatingPoint standard;  // the same mode in every thread
      Worker<T>& worker = *workers_[static_cast<std::size_t>(number)];
      worker.begin_draw(tape_, theta);
      while (true) {
        const std::size_t chunk = next.fetch_add(1);
        if (chunk * chunk_size_ >= records.size()) return;
        const std::size_t end = std::min((chunk + 1) * chunk_size_, records.size());
        for (std::size_t at = chunk * chunk_size_; at < end; at += at_once) {
          worker.pending = part_of(records, at + ahead, at_once);
          each(worker, chunk, part_of(records.first(end), at, at_once));
          worker.prefetch_next(table_, at_once);
        }
      }
    };
    // Waking other threads costs more than evaluating one chunk.
    if (records.size() <= chunk_size_) {
      work(0);
    } else {
      team_.run(work);
    }
  }

  const RecordTape& tape_;
  const RecordTable& table_;
  std::size_t chunk_size_;
  std::size_t blocks_at_once_;
  ThreadTeam team_;
  std::vector<std::unique_ptr<Worker<T>>> workers_;
};

RecordGradients::RecordGradients(const RecordTape& tape, const RecordTable& table, int threads)
    : record_count_(table.record_count()) {
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
