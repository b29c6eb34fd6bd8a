#pragma once

#include <array>
#include <string>
#include <string_view>

#include <dpvi/data/schema.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {

inline constexpr std::array<std::string_view, 7> kLikelihoods = {
    "bernoulli", "binomial", "normal", "student_t", "poisson", "neg_binomial_2", "ordered"};

// Writes a regression as a Stan program for people to read and edit. Its numbers (centres, scales,
// priors, levels) come from the schema alone; every column must be declared there. Columns whose
// names are invalid in Stan are renamed, and a comment gives the line to add to the schema.
//
// Throws UsageError (DP102, DP103) for a likelihood or formula that does not fit, and InputError
// (DP341) for an undeclared fact.
std::string regression_program(const RegressionFormula& formula, std::string_view likelihood,
                               const Schema& schema);

}  // namespace dpvi
