#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/eval/outcome_column.hpp>
#include <dpvi/eval/row_table.hpp>
#include <dpvi/experiment/point_result.hpp>
#include <dpvi/experiment/series.hpp>
#include <dpvi/fit/fit.hpp>

#include "fit_data.hpp"

namespace dpvi::cli {

// The tables of an experiment, each read or drawn once, when it is first asked for.
class ExperimentTables {
 public:
  // `data` has the published files; those of the paper's own making are drawn.
  ExperimentTables(std::filesystem::path data,
                   std::vector<std::pair<std::string, MixtureData>> mixtures);

  const ExperimentTable& table(const std::string& name, const SourcePlace& place);
  const MixtureData* mixture(const std::string& name) const;

 private:
  std::filesystem::path data_;
  std::vector<std::pair<std::string, MixtureData>> mixtures_;
  std::map<std::string, ExperimentTable> tables_;
};

// A program bound to a table: the tape recorded, made-up records looked at. The rows to be fitted
// are opened by each run, with the plan of its point.
struct PreparedTask {
  Program program;
  BoundModel bound;
  const ExperimentTable* table;
  OutcomeColumn outcome;
  RowTable test;
  MockStudy study;
};

// A point of a figure, planned: what it costs is settled.
struct PlannedPoint {
  const Series* series;
  const PreparedTask* task;
  FitSettings settings;
  std::optional<PrivateFitPlan> plan;  // absent without protection
  GaussianPhase phase;
  std::size_t runs;
  PointResult result;
};

// Plans points, sharing what can be shared.
class ExperimentPlanner {
 public:
  ExperimentPlanner(std::filesystem::path experiments, ExperimentTables& tables)
      : experiments_(std::move(experiments)), tables_(tables) {}

  PlannedPoint plan(const Series& series, const SeriesPoint& point, std::size_t runs);

 private:
  const PreparedTask& task_of(const Series& series);

  std::filesystem::path experiments_;
  ExperimentTables& tables_;
  std::map<std::string, std::unique_ptr<PreparedTask>> tasks_;
};

}  // namespace dpvi::cli
