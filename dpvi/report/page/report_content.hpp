#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/study.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/output_summary.hpp>
#include <dpvi/report/page/output_labels.hpp>

namespace dpvi {

struct ReportPhase {
  double sampling_rate = 0.0;
  double noise_multiplier = 0.0;
  double steps = 0.0;
};

// The epsilon of several records together.
struct ReportGroup {
  double records = 0.0;
  double epsilon = 0.0;
};

// What statement.json says. Members that a bundle lacks are empty.
struct ReportStatement {
  std::string unit, accountant, sampler, noise, protects, tuning, counting;
  std::optional<double> epsilon_other_adjacency, epsilon_lower;
  std::vector<ReportPhase> phases;
  std::vector<std::string> public_facts, assumptions, not_protected;
  Study study;
  std::vector<ReportGroup> groups;
};

// What run.json says.
struct ReportRun {
  std::string model, started_at, version, model_sha256, posterior;
  std::optional<double> averaged_share;
  std::vector<std::string> dropped;
  IndexNamesByVariable index_names;
};

// Iterates of some unconstrained parameters: one row for each of `steps`.
struct ReportPath {
  std::vector<std::size_t> parameters;  // their places
  std::vector<double> steps;
  std::vector<std::vector<double>> locations;
};

struct ReportCurve {
  std::vector<double> value, density;
};

// Forecast and obtained noise of the unconstrained parameters.
struct ReportForecast {
  std::vector<double> noise_sd;
  std::vector<double> obtained_sd;
};

// Residuals of measurements, in units of their standard deviation.
struct ReportResiduals {
  double mean_square = 0.0;
  double count = 0.0;
};

// Everything that a report shows. It is read from the files of a bundle alone.
struct ReportContent {
  Bundle bundle;
  std::vector<OutputSummary> outputs;
  ReportStatement statement;
  ReportRun run;
  std::optional<ReportPath> path;
  std::optional<ReportForecast> forecast;
  std::optional<ReportResiduals> residuals;   // of a fit by measurements
  std::map<std::string, ReportCurve> priors;  // by name of the column, with brackets
  std::string model_text, schema_text;

  // The name of a number as people read it: `effect[North]`.
  std::string shown_name(const std::string& name) const {
    return labelled_name(name, run.index_names);
  }
  // The same for an unconstrained parameter. Coordinates of a variable that has more numbers than
  // coordinates are none of its numbers: `effect, coordinate 2`.
  std::string coordinate_name(const std::string& column) const;
};

// Throws like read_bundle(). Files and members that older versions did not write may be missing.
ReportContent read_report_content(const BundleTexts& texts);

}  // namespace dpvi
