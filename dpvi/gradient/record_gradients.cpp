#include <dpvi/gradient/record_gradients.hpp>

#include <mutex>
#include <utility>

#include <dpvi/base/stopwatch.hpp>
#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/record_walk.hpp>
#include <dpvi/gradient/sum_unclipped.hpp>

namespace dpvi {

static_assert(RecordTable::kLanes == GridClipper::kLanes &&
              RecordTable::kLanes == static_cast<std::size_t>(kLanes));

class RecordGradients::Lanes {
 public:
  virtual ~Lanes() = default;
  virtual std::vector<PartialSum> clipped_sums(const ClipTask& task, std::span<const double> theta,
                                               std::span<const std::uint64_t> records) = 0;
  virtual ValueAndGradient plain_value(std::span<const double> theta,
                                       std::span<const std::uint64_t> records) = 0;
  virtual double clip_seconds() const = 0;

  bool measures_clipping = false;
};

template <class T>
class RecordGradients::LanesOf final : public Lanes {
 public:
  LanesOf(const RecordTape& tape, const RecordTable& table, RowLaw law, int threads)
      : blocks_at_once_(blocks_at_once(tape, table, law)),
        walk_(table, blocks_at_once_, threads),
        clip_times_(static_cast<std::size_t>(threads)) {
    make_evaluators(tape, law);
  }

  // With one window for each thread.
  LanesOf(const RecordTape& tape, RecordWalk::Windows windows, RowLaw law)
      : blocks_at_once_(blocks_at_once(tape, windows.front()->table(), law)),
        walk_(std::move(windows), blocks_at_once_),
        clip_times_(walk_.worker_limit()) {
    make_evaluators(tape, law);
  }

  std::vector<PartialSum> clipped_sums(const ClipTask& task, std::span<const double> theta,
                                       std::span<const std::uint64_t> records) override {
    std::vector<PartialSum> parts;
    parts.reserve(walk_.worker_count(records.size()));
    std::mutex parts_mutex;
    walk_.run(records, [&](std::size_t worker, const auto& chunks) {
      BlockEvaluator<T>& evaluator = *evaluators_[worker];
      Stopwatch* clip_time = measures_clipping ? &clip_times_[worker].watch : nullptr;
      evaluator.begin_draw(theta);
      const std::unique_ptr<ClipPath<T>> path = make_clip_path(evaluator, task);
      chunks(evaluator.prefetch(), [&](std::size_t, std::span<const std::uint64_t> chosen) {
        path->add(chosen, clip_time);
      });
      PartialSum part = path->take_sum();
      const std::lock_guard lock(parts_mutex);
      parts.push_back(std::move(part));
    });
    return parts;
  }

  ValueAndGradient plain_value(std::span<const double> theta,
                               std::span<const std::uint64_t> records) override {
    return sum_unclipped<T>(walk_, evaluators_, theta, records);
  }

  double clip_seconds() const override {
    double sum = 0.0;
    for (const ClipTime& time : clip_times_) sum += time.watch.seconds();
    return sum / static_cast<double>(clip_times_.size());
  }

 private:
  // Aligned to cache lines, because each thread writes its own.
  struct alignas(64) ClipTime {
    Stopwatch watch;
  };

  static std::size_t blocks_at_once(const RecordTape& tape, const RecordTable& table, RowLaw law) {
    const bool several_gradients =
        law.simulated != nullptr || (law.enumerated != nullptr && law.enumerated->others() > 1);
    return table.rows_are_records() && !several_gradients ? tape.blocks_at_once<T>() : 1;
  }

  void make_evaluators(const RecordTape& tape, RowLaw law) {
    for (std::size_t worker = 0; worker < walk_.worker_limit(); ++worker) {
      evaluators_.push_back(
          std::make_unique<BlockEvaluator<T>>(tape, walk_.table_of(worker), law, blocks_at_once_));
    }
  }

  std::size_t blocks_at_once_;
  RecordWalk walk_;
  std::vector<std::unique_ptr<BlockEvaluator<T>>> evaluators_;  // one for each worker
  std::vector<ClipTime> clip_times_;                            // one for each worker
};

RecordGradients::RecordGradients(const RecordTape& tape, const StoredRecords& stored, int threads,
                                 std::optional<OutcomeColumns> outcome,
                                 std::shared_ptr<const SimulatedOutcomes> simulated)
    : record_count_(stored.record_count()),
      outcome_(std::move(outcome)),
      simulated_(std::move(simulated)) {
  const RowLaw law{outcome_ ? &*outcome_ : nullptr, simulated_.get()};
  RecordWalk::Windows windows;
  for (int worker = 0; worker < threads; ++worker) windows.push_back(stored.window());
  if (stored.precision() == Precision::single_precision) {
    lanes_ = std::make_unique<LanesOf<float>>(tape, std::move(windows), law);
  } else {
    lanes_ = std::make_unique<LanesOf<double>>(tape, std::move(windows), law);
  }
}

RecordGradients::RecordGradients(const RecordTape& tape, const RecordTable& table, int threads,
                                 std::optional<OutcomeColumns> outcome,
                                 std::shared_ptr<const SimulatedOutcomes> simulated)
    : record_count_(table.record_count()),
      outcome_(std::move(outcome)),
      simulated_(std::move(simulated)) {
  const RowLaw law{outcome_ ? &*outcome_ : nullptr, simulated_.get()};
  if (table.precision() == Precision::single_precision) {
    lanes_ = std::make_unique<LanesOf<float>>(tape, table, law, threads);
  } else {
    lanes_ = std::make_unique<LanesOf<double>>(tape, table, law, threads);
  }
}

RecordGradients::~RecordGradients() = default;

std::vector<PartialSum> RecordGradients::clipped_sums(const ClipSettings& settings,
                                                      const Coordinates& coordinates,
                                                      std::span<const double> theta,
                                                      std::span<const std::uint64_t> records,
                                                      std::span<const GradientTerm> joint) {
  return lanes_->clipped_sums({settings, coordinates, joint, theta}, theta, records);
}

void RecordGradients::measure_clipping(bool wanted) { lanes_->measures_clipping = wanted; }

double RecordGradients::clip_seconds() const { return lanes_->clip_seconds(); }

UnclippedSum RecordGradients::plain_sum(std::span<const double> theta,
                                        std::span<const std::uint64_t> records) {
  return {plain_value(theta, records).gradient};
}

ValueAndGradient RecordGradients::plain_value(std::span<const double> theta,
                                              std::span<const std::uint64_t> records) {
  return lanes_->plain_value(theta, records);
}

}  // namespace dpvi
