#pragma once

#include <string>
#include <string_view>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// Shown with every fit without privacy protection.
inline constexpr std::string_view kNotPrivateNotice =
    "NOT PRIVATE: made without protection, must not be published";

// Stands beside the draws wherever they are written.
inline constexpr std::string_view kDrawsNotice =
    "independent draws with model and privacy uncertainty; R-hat and ESS computed from them do not "
    "test the fit";
inline constexpr std::string_view kChainsNotice =
    "Markov chains, one after another, with model and privacy uncertainty";

std::string_view adjacency_name(Adjacency adjacency);

// The privacy statement for programs (statement.json) and for people (statement.md), with the same
// facts. The text is a document to file: study, plain words, what is not protected, accuracy, the
// account of the ledger. The claim then follows the order of NIST SP 800-226, from its numbers down
// to what they rest on. Every epsilon is an upper bound unless it is called a lower end. The text
// rounds numbers, bounds upwards; the JSON has them exactly.
//
// Guarantee: a fit without protection is stamped not private in the first line of the text and by
// `"private": false` and a null epsilon in the JSON.
struct PrivacyStatement {
  std::string json;
  std::string text;
};

PrivacyStatement privacy_statement(const FitResult& result, const ProgramVersion& program);

}  // namespace dpvi
