#include <dpvi/fit/formula/likelihood_name.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>

namespace dpvi {
namespace {

bool is_likelihood(std::string_view name) {
  return std::find(kLikelihoods.begin(), kLikelihoods.end(), name) != kLikelihoods.end();
}

}  // namespace

std::string likelihood_named(std::string_view name, std::string_view link, bool has_trials) {
  struct Alias {
    std::string_view name, likelihood;
  };
  static constexpr Alias kAliases[] = {{"gaussian", "normal"},
                                       {"student", "student_t"},
                                       {"negbinomial", "neg_binomial_2"},
                                       {"cumulative", "ordered"}};
  std::string likelihood(name);
  for (const Alias& alias : kAliases) {
    if (name == alias.name) likelihood = alias.likelihood;
  }
  if (name == "binomial" && !link.empty() && !has_trials) likelihood = "bernoulli";
  const bool counts = likelihood == "poisson" || likelihood == "neg_binomial_2";
  const bool reals = likelihood == "normal" || likelihood == "student_t";
  const std::string_view usual = counts ? "log" : reals ? "identity" : "logit";
  // An unknown likelihood is refused by its name, whatever its link.
  if (link.empty() || link == usual || !is_likelihood(likelihood)) return likelihood;
  throw UsageError(
      kValueOutsideRule,
      fmt::format("The link is '{}'; a {} likelihood has the link '{}'.", link, likelihood, usual),
      "Use that link, or write the Stan program yourself: start from the one that "
      "'dpvi formula' prints.");
}

void check_likelihood(std::string_view likelihood, bool has_trials) {
  if (!is_likelihood(likelihood)) {
    const std::vector<std::string> names(kLikelihoods.begin(), kLikelihoods.end());
    const auto near = nearest_name(likelihood, names);
    throw UsageError(kValueOutsideRule,
                     fmt::format("The likelihood is '{}'; it must be one of {}.", likelihood,
                                 fmt::join(names, ", ")),
                     near ? fmt::format("Did you mean '{}'?", *near) : "Choose one of them.");
  }
  if ((likelihood == "binomial") == has_trials) return;
  throw UsageError(kContradiction,
                   "A binomial response needs a column of trials; other responses have none.",
                   "Write 'successes | trials(n) ~ ...' with the likelihood binomial.");
}

}  // namespace dpvi
