#pragma once

#include <array>
#include <string>
#include <string_view>

#include <dpvi/data/schema.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {

inline constexpr std::array<std::string_view, 7> kLikelihoods = {
    "bernoulli", "binomial", "normal", "student_t", "poisson", "neg_binomial_2", "ordered"};

// A regression as a Stan program for people to read and change. Numbers in it (centres, scales,
// priors, levels) come from the schema alone; every column must be declared there. Columns whose
// names Stan cannot use are renamed, and a comment says which line the schema then needs.
//
// Throws UsageError (DP102, DP103) for a likelihood or formula that does not fit, InputError
// (DP341) for a fact that is not declared.
std::string regression_program(const RegressionFormula& formula, std::string_view likelihood,
                               const Schema& schema);

}  // namespace dpvi
