#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/family/family.hpp>
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
  SharedFamily family;
  std::vector<double> family_parameters;
  std::vector<std::string> unconstrained_names;
  std::string status;                         // stationary, drifting, diverged or unknown
  std::vector<double> r_hat;                  // for the unconstrained parameters
  std::vector<double> output_sd;              // of each column of the draws, at the location
  std::vector<double> effective_sample_size;  // effective sample size of the iterates
};

struct Bundle {
  PrivacyStamp stamp;
  Posterior posterior;
  StanDraws draws;
};

// Throws MissingInputError if the folder or one of draws.csv, statement.json and posterior.json is
// missing. Throws InputError with file and line if one of them is damaged, was not written by dpvi,
// or is stamped differently from the others.
//
// Guarantee: a bundle that is read as private is stamped private in every one of these files.
Bundle read_bundle(const std::filesystem::path& folder);

}  // namespace dpvi
