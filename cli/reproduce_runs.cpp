#include "reproduce_runs.hpp"

#include <atomic>
#include <mutex>

#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/eval/outcome_scores.hpp>
#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/fit/train/private_fit.hpp>
#include <dpvi/fit/train/unprotected_fit.hpp>

#include "interrupt.hpp"
#include "progress.hpp"

namespace dpvi::cli {
namespace {

// Number of posterior draws over which a density is averaged.
constexpr std::size_t kDraws = 200;
// Thinning interval for the samples of a chain shown in a picture.
constexpr std::size_t kSamplesApart = 10;

struct RunScore {
  double score = 0.0;
  double log_score = 0.0;
};

OutcomePrediction predict(const PlannedPoint& point, const FittedPosterior& fitted,
                          const Family& family, std::uint64_t run) {
  const PreparedTask& task = *point.task;
  const RecordModel& model = task.bound->model;
  if (fitted.samples.empty() && !task.outcome.values().empty()) {
    return predict_by_probit_approximation(model, task.outcome, task.test, family,
                                           fitted.family_parameters);
  }
  const SeededGenerator generator(run);
  const std::vector<std::vector<double>> thetas =
      fitted.samples.empty() ? posterior_draws(family, fitted.family_parameters, kDraws, generator)
                             : fitted.samples;
  return predict_outcome(model, task.outcome, task.test, {thetas, generator});
}

FittedPosterior fit(const PlannedPoint& point, std::uint64_t run) {
  const PreparedTask& task = *point.task;
  const FitProgress go_on = [](std::int64_t, std::int64_t) { return !interrupted(); };
  const FitSpeed one_thread{.threads = 1};
  const FillRecords fill = [&task](PreparedRecords& records) {
    TableRows rows = training_rows(*task.table);
    TextColumns source(rows, column_request(task.bound->binding));
    read_records(source, task.bound->binding, records);
  };
  if (point.planned) {
    return fit_privately(open_records(point.planned->plan(), fill), one_thread, go_on);
  }
  const UnprotectedRecords records = open_unprotected_records(task.bound->model, fill);
  return fit_unprotected(task.bound->model, records,
                         {unprotected_phase(point.unprotected, records.record_count()), run},
                         point.settings(), one_thread, go_on);
}

KeptPosterior kept(const PlannedPoint& point, const FittedPosterior& fitted, const Family& family) {
  const RecordModel& model = point.task->bound->model;
  KeptPosterior result;
  if (fitted.samples.empty()) {
    result.outputs.push_back(model.output_values(family.location(fitted.family_parameters)));
  }
  for (std::size_t i = 0; i < fitted.samples.size(); i += kSamplesApart) {
    result.outputs.push_back(model.output_values(fitted.samples[i]));
  }
  return result;
}

// Queue of all runs of all points. Each free thread takes the next run.
class RunQueue {
 public:
  RunQueue(std::vector<PlannedPoint>& points, bool quiet)
      : points_(points), scores_(points.size()), kept_(points.size()), progress_("", quiet, "run") {
    for (std::size_t i = 0; i < points.size(); ++i) {
      scores_[i].resize(points[i].runs);
      for (std::size_t run = 0; run < points[i].runs; ++run) jobs_.push_back({i, run});
    }
  }

  void work() {
    while (!interrupted()) {
      const std::size_t job = next_++;
      if (job >= jobs_.size()) return;
      run(jobs_[job].point, jobs_[job].run);
      const std::scoped_lock lock(mutex_);
      progress_.show(static_cast<std::int64_t>(++done_), static_cast<std::int64_t>(jobs_.size()));
    }
  }

  std::vector<KeptPosterior> finish() {
    for (std::size_t i = 0; i < points_.size(); ++i) judge_point(points_[i], scores_[i]);
    return std::move(kept_);
  }

 private:
  struct Job {
    std::size_t point;
    std::size_t run;
  };

  void run(std::size_t place, std::size_t run) {
    const PlannedPoint& point = points_[place];
    const std::uint64_t seed = run + 1;
    const FittedPosterior fitted = fit(point, seed);
    if (!fitted.completed) return;
    const SharedFamily family = point.settings().family_of(point.task->bound->model.dimension());
    const OutcomeScores found =
        score_outcome(predict(point, fitted, *family, seed), point.task->outcome, point.task->test);
    scores_[place][run] = {found.accuracy.value_or(found.log_predictive_density),
                           found.log_predictive_density};
    if (run == 0) kept_[place] = kept(point, fitted, *family);
  }

  static void judge_point(PlannedPoint& point, const std::vector<RunScore>& scores) {
    std::vector<double> own, logs;
    for (const RunScore& score : scores) {
      own.push_back(score.score);
      logs.push_back(score.log_score);
    }
    PointResult& result = point.result;
    result.score = mean_of_runs(own);
    if (!point.task->outcome.values().empty()) result.log_score = mean_of_runs(logs);
    // An unprotected fit runs once, and a repetition would give the same score.
    if (!point.planned && scores.size() == 1) {
      result.score.standard_error = 0.0;
      if (result.log_score) result.log_score->standard_error = 0.0;
    }
    if (result.target) result.verdict = judge(*result.target, result.score, result.log_score);
  }

  std::vector<PlannedPoint>& points_;
  std::vector<std::vector<RunScore>> scores_;
  std::vector<KeptPosterior> kept_;
  std::vector<Job> jobs_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
  Progress progress_;
};

}  // namespace

std::vector<KeptPosterior> run_points(std::vector<PlannedPoint>& points, int threads, bool quiet) {
  RunQueue queue(points, quiet);
  ThreadTeam(threads).run([&](int) { queue.work(); });
  if (interrupted()) throw Error(kInterrupted, "stopped; nothing was written.", "");
  return queue.finish();
}

}  // namespace dpvi::cli
