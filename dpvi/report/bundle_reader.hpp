#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/family/gaussian.hpp>
#include <dpvi/fit/train/fit_status.hpp>
#include <dpvi/report/bundle_texts.hpp>
#include <dpvi/report/stan_csv_reader.hpp>

namespace dpvi {

// The privacy stamp of statement.json.
struct PrivacyStamp {
  bool is_private = false;
  std::optional<double> epsilon;  // this and the members below are set only if private
  std::optional<double> delta;
  std::string adjacency;
};

struct Posterior {
  bool is_private;
  Gaussian total;   // with model and privacy uncertainty: what draws come from
  Gaussian fitted;  // without what noise did to the location
  std::vector<std::string> unconstrained_names;
  std::optional<FitVerdict> verdict;  // nullopt in bundles of version 0.2 and earlier
  std::string optimisation;           // stationary, drifting, diverged or unknown
  std::vector<double> r_hat;          // for the unconstrained parameters
  // For each column of the draws, by what the model or the privacy noise alone would give. The
  // model's part is empty in bundles that were written before draws contained both.
  std::vector<double> sd_model;
  std::vector<double> sd_privacy;
  std::vector<double> effective_sample_size;  // effective sample size of the iterates
  // Of draws that are Markov chains.
  std::optional<double> divergences = std::nullopt;
  std::optional<double> saturations = std::nullopt;
  // Of a fit by measurements: the number of usable records, and its standard deviation.
  std::optional<double> records = std::nullopt;
  double records_sd = 0.0;
  // How the posterior was found (trace or variational), and why; empty in bundles of version 0.3
  // and earlier.
  std::string inference = {};
  std::string inference_reason = {};
};

struct Bundle {
  PrivacyStamp stamp;
  bool has_manifest = false;  // false: version 0.2 or earlier wrote it, and no hash protects it
  Posterior posterior;
  StanDraws draws;
};

// Throws MissingInputError if the folder or one of draws.csv, statement.json and posterior.json is
// missing. Throws InputError with file and line if one of them is damaged, was not written by dpvi,
// or is stamped differently from the others. Throws InputError DP412 if verify_bundle() finds a
// difference (bundle_verification.hpp).
//
// Guarantee: a bundle that is read as private is stamped private in every one of these files.
Bundle read_bundle(const std::filesystem::path& folder);
Bundle read_bundle(const BundleTexts& texts);

}  // namespace dpvi
