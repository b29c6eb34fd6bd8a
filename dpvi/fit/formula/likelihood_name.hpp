#pragma once

#include <array>
#include <string>
#include <string_view>

namespace dpvi {

inline constexpr std::array<std::string_view, 7> kLikelihoods = {
    "bernoulli", "binomial", "normal", "student_t", "poisson", "neg_binomial_2", "ordered"};

// The likelihood of that name, which may also be a name of R or brms: gaussian, student,
// negbinomial, cumulative, and binomial with a link for single trials. A link other than the usual
// one is refused (DP102) with the way out; an empty one is not checked.
std::string likelihood_named(std::string_view name, std::string_view link, bool has_trials);

// Throws UsageError (DP102, DP103) for a name that is not in kLikelihoods, and if trials are given
// where the likelihood has none, or are missing.
void check_likelihood(std::string_view likelihood, bool has_trials);

}  // namespace dpvi
