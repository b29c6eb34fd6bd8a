#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/study.hpp>
#include <dpvi/family/gaussian.hpp>
#include <dpvi/family/location_noise.hpp>
#include <dpvi/fit/prepare/output_variable.hpp>
#include <dpvi/fit/prepare/public_inputs.hpp>
#include <dpvi/fit/train/executed_privacy_plan.hpp>
#include <dpvi/fit/train/fit_status.hpp>
#include <dpvi/fit/train/fit_trace.hpp>
#include <dpvi/sample/sampled_chains.hpp>

namespace dpvi {

// Public settings of the loop as executed.
struct ExecutedLoop {
  std::string posterior = "variational";  // or trace
  std::string posterior_reason = {};      // in words
  std::string clip = "fixed";             // fixed, adaptive or normalised
  double clip_bound = 1.0;                // the first one if adaptive
  std::string clip_centre = "zero";       // zero or law
  std::string clip_centre_reason = {};    // in words
  double last_clip_bound = 1.0;
  std::vector<double> phase_clip_bounds;  // initial bound of each phase, if given
  // For an adaptive clip bound: the size of a record's clip coordinate, and its target share.
  std::optional<double> clip_coordinate = std::nullopt;
  std::optional<double> unshortened_share = std::nullopt;
  double learning_rate = 0.0;
  double averaged_share = 0.0;  // share of the steps, counted from the end
  std::string optimizer = "adam";
  std::string schedule = "constant";  // of the step sizes
  std::string gradient = "aligned";
  std::string initial_values = "zero";
  // Initial standard deviation in working coordinates, if common to all.
  std::optional<double> initial_scale = std::nullopt;
  std::string coordinates = "theta";  // used for clipping and steps
  std::string precision = "double";   // of record gradients: single or double
};

// The column that assigns rows to records, and the number of rows of one record that counted.
struct UnitOfPrivacy {
  std::string column;
  std::uint32_t max_rows = 1;
};

// What mock records forecast for the unconstrained parameters before the table was opened.
struct ForecastOfFit {
  std::vector<double> noise_sd;      // sd of the location due to noise and sampling
  std::vector<double> posterior_sd;  // sd of the posterior of a fit without noise
};

// Prior density of one number of a draw, on a grid of its values.
struct PriorCurve {
  std::size_t output = 0;  // place in a draw
  std::vector<double> value;
  std::vector<double> density;
};

// What a ledger says about a data set. The guarantee of all runs together is the budget.
struct LedgerTotal {
  double spent_epsilon = 0.0;  // valid if no run depended on an earlier result
  double budget_epsilon = 0.0;
  double budget_delta = 0.0;
  std::string adjacency;
  std::int64_t runs = 0;  // charged ones
};

// The entry of a ledger that counts a run, and the head of that ledger when the run started.
// Whoever has the bundle can show that a ledger without that line is not the whole ledger.
struct LedgerMark {
  std::string ledger;  // identifier of the ledger
  std::int64_t entry = 0;
  std::int64_t position = 0;
  std::string head;  // hash of the line at that position
  // The account at that moment, with this run: what all charged runs cost together, of which
  // budget.
  std::optional<LedgerTotal> total = std::nullopt;
};

// Everything that a fit returns. All of it may be published unless it is stamped not private. It
// holds no value computed from records without passing through a mechanism.
struct FitResult {
  std::string model_name;   // file name without folder and extension
  std::string model_text;   // the program, as read
  std::string schema_text;  // the schema, as read; empty without one
  std::string started_at;   // UTC, "YYYY-MM-DD HH:MM:SS", before data was opened

  Gaussian fitted;                               // the posterior as the last iterates have it
  std::vector<double> site_mean = {};            // of a fit by measurements
  LocationNoise location_noise;                  // how far noise and sampling may have moved it
  Gaussian total;                                // both: the posterior that is published
  std::vector<std::string> unconstrained_names;  // in Stan's order, dots for indices

  std::vector<OutputVariable> outputs;
  std::vector<double> at_location;         // outputs at the location, first index fastest
  std::vector<std::vector<double>> draws;  // outputs at draws from the total
  std::vector<double> log_density;         // log density of each draw, on the unconstrained scale
  // Standard deviation that each output would have if only one part of the uncertainty existed;
  // NaN for quantities of _rng functions.
  std::vector<double> sd_model;
  std::vector<double> sd_privacy;
  // If the draws are Markov chains: how they were sampled, and their diagnostics. The total is then
  // the Gaussian with their moments. nullopt if the draws are independent draws from the total.
  std::optional<SampledChains> sampled = std::nullopt;

  // The plan as executed, which the statement claims. nullopt for an unprotected fit, which is
  // marked as such everywhere.
  std::optional<ExecutedPrivacyPlan> privacy;
  ExecutedLoop loop;
  FitTrace trace;
  FitEvidence evidence;
  FitVerdict verdict;
  std::vector<std::string> public_facts;             // one sentence each
  std::vector<std::string> dropped_quantities;       // generated quantities that require records
  std::optional<UnitOfPrivacy> unit = std::nullopt;  // nullopt: one row
  bool one_row_per_person = false;                   // declared by the schema
  // True if the run would have been refused for a column without a usable cell.
  bool inspected_first = false;
  Study study = {};
  std::optional<LedgerMark> ledger = std::nullopt;  // nullopt: no ledger counts the run
  PublicInputs inputs = {};
  std::optional<ForecastOfFit> forecast = std::nullopt;  // nullopt: number of rows undeclared
  std::vector<PriorCurve> prior_curves = {};             // of the outputs whose prior is known
};

}  // namespace dpvi
