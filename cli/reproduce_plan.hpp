#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/planned_fit.hpp>
#include <dpvi/eval/outcome_column.hpp>
#include <dpvi/eval/row_table.hpp>
#include <dpvi/experiment/point_result.hpp>
#include <dpvi/experiment/series.hpp>

namespace dpvi::cli {

// The tables of an experiment. Each is read or generated once, on first use.
class ExperimentTables {
 public:
  // `data` is the folder of the published files. The paper's simulated tables are generated from
  // `mixtures`.
  ExperimentTables(std::filesystem::path data,
                   std::vector<std::pair<std::string, MixtureData>> mixtures);

  const ExperimentTable& table(const std::string& name, const SourcePlace& place);
  const MixtureData* mixture(const std::string& name) const;

 private:
  std::filesystem::path data_;
  std::vector<std::pair<std::string, MixtureData>> mixtures_;
  std::map<std::string, ExperimentTable> tables_;
};

// A program bound to a table, with its recorded tape and the study of mock records. Each run opens
// the rows to fit with the plan of its point.
struct PreparedTask {
  std::shared_ptr<const BoundModel> bound;
  const ExperimentTable* table;
  OutcomeColumn outcome;
  RowTable test;
  MockStudy study;
};

// A planned point of a figure. Its privacy cost is fixed.
struct PlannedPoint {
  const Series* series;
  const PreparedTask* task;
  std::optional<PlannedFit> planned;  // nullopt for unprotected fits
  UnprotectedFitRequest unprotected;
  std::size_t runs;
  PointResult result;

  const FitSettings& settings() const {
    return planned ? planned->settings() : unprotected.settings;
  }
};

// Plans points and shares prepared tasks between them.
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
