#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/fit/executed_plan.hpp>
#include <dpvi/fit/fit_trace.hpp>
#include <dpvi/fit/public_inputs.hpp>

namespace dpvi {

// A variable of the result as the program declares it: parameters, transformed parameters and kept
// generated quantities, in that order.
struct OutputVariable {
  std::string name;
  std::vector<std::int64_t> dimensions;  // empty for a scalar

  std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t dimension : dimensions) product *= dimension;
    return product;
  }
};

// The public numbers that drove the loop, as they really were.
struct LoopSettings {
  std::string clip = "fixed";  // fixed, adaptive or normalised
  double clip_bound = 1.0;     // the first, of an adaptive one
  double last_clip_bound = 1.0;
  std::vector<double> phase_clip_bounds;  // with which each phase began, if they were given so
  // Of an adaptive clip bound: what a record's clip coordinate is worth, and its target.
  std::optional<double> clip_coordinate = std::nullopt;
  std::optional<double> unshortened_share = std::nullopt;
  double learning_rate = 0.0;
  double averaged_share = 0.0;  // of the steps, counted from the end
  std::string optimizer = "adam";
  std::string schedule = "constant";  // of the step sizes
  std::string gradient = "aligned";
  std::string initial_values = "zero";
  // Standard deviations at the start, by the coordinates, where all are the same.
  std::optional<double> initial_scale = std::nullopt;
  std::string coordinates = "theta";  // in which gradients are clipped and steps taken
  std::string precision = "double";   // of the records' gradients: single or double
};

// The column whose texts say which rows make one record, and how many rows of one counted.
struct UnitOfPrivacy {
  std::string column;
  std::uint32_t max_rows = 1;
};

// Everything that a fit gives back. All of it may be published, unless it is stamped not private.
// Holds no value that was computed from records without passing a mechanism.
struct FitResult {
  std::string model_name;   // file name without folder and ending
  std::string model_text;   // the program, as read
  std::string schema_text;  // the schema, as read; empty without one
  std::string started_at;   // UTC, "YYYY-MM-DD HH:MM:SS", taken before data was opened

  GaussianFamily family;
  std::vector<double> family_parameters;
  std::vector<std::string> unconstrained_names;  // in Stan's order, dots for indices

  std::vector<OutputVariable> outputs;
  std::vector<double> at_location;         // outputs at q's location, flat, first index fastest
  std::vector<std::vector<double>> draws;  // outputs at draws from q
  std::vector<double> log_density;         // log q of each draw

  // The plan as it ran, which the statement claims. Absent for a fit without protection, which is
  // stamped so everywhere.
  std::optional<ExecutedPlan> privacy;
  LoopSettings loop;
  FitTrace trace;
  std::vector<std::string> public_facts;             // one sentence each
  std::vector<std::string> dropped_quantities;       // generated quantities that would need records
  std::optional<UnitOfPrivacy> unit = std::nullopt;  // absent: one row
  // The run would have been stopped, had a column had no usable cell.
  bool inspected_first = false;
  PublicInputs inputs = {};
};

}  // namespace dpvi
