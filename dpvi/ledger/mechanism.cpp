#include <dpvi/ledger/mechanism.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

void validate_mu(const char* field, double mu) {
  if (mu >= std::numeric_limits<double>::min() && std::isfinite(mu)) return;
  throw UsageError(kValueOutsideRule,
                   fmt::format("{} is {}; it must be positive and finite.", field, mu),
                   "Give the total of the run in Gaussian differential privacy.");
}

// Errs upwards: the noise multiplier is rounded down.
GaussianPhase one_step_with_shift(double mu, Adjacency adjacency) {
  const double shift = adjacency == Adjacency::substitute ? 2.0 : 1.0;
  return {.sampling_rate = 1.0, .noise_multiplier = std::nextafter(shift / mu, 0.0), .steps = 1};
}

}  // namespace

void validate(std::span<const Mechanism> mechanisms) {
  for (const Mechanism& mechanism : mechanisms) {
    if (const auto* phase = std::get_if<GaussianPhase>(&mechanism)) {
      validate(std::span(phase, 1));
    } else {
      validate_mu("mu_substitute", std::get<GaussianTotal>(mechanism).mu_substitute);
      validate_mu("mu_add_remove", std::get<GaussianTotal>(mechanism).mu_add_remove);
    }
  }
}

bool is_full_participation(std::span<const Mechanism> mechanisms) {
  return std::ranges::all_of(mechanisms, [](const Mechanism& mechanism) {
    const auto* phase = std::get_if<GaussianPhase>(&mechanism);
    return phase == nullptr || phase->sampling_rate == 1.0;
  });
}

GaussianRun equivalent_run(std::span<const Mechanism> mechanisms, Adjacency adjacency) {
  GaussianRun run;
  for (const Mechanism& mechanism : mechanisms) {
    if (const auto* phase = std::get_if<GaussianPhase>(&mechanism)) {
      run.push_back(*phase);
      continue;
    }
    const auto& total = std::get<GaussianTotal>(mechanism);
    const bool substitute = adjacency == Adjacency::substitute;
    run.push_back(
        one_step_with_shift(substitute ? total.mu_substitute : total.mu_add_remove, adjacency));
  }
  return run;
}

std::vector<Mechanism> mechanisms_of(std::span<const GaussianPhase> run) {
  return {run.begin(), run.end()};
}

}  // namespace dpvi
