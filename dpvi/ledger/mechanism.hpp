#pragma once

#include <span>
#include <variant>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Releases in which every record takes part, under one total fixed in the plan: together they are
// mu-Gaussian differentially private, however the total is divided during the run (Smith & Thakurta
// 2022). The two numbers are for the two adjacencies.
struct GaussianTotal {
  double mu_substitute = 0.0;  // positive, finite
  double mu_add_remove = 0.0;

  bool operator==(const GaussianTotal&) const = default;
};

// One part of a run, as a ledger stores it: what was done, never what it costs.
using Mechanism = std::variant<GaussianPhase, GaussianTotal>;

// Throws a UsageError that names the field, the value and the rule.
void validate(std::span<const Mechanism> mechanisms);

// True if every record takes part in every release.
bool is_full_participation(std::span<const Mechanism> mechanisms);

// Phases with the same privacy loss under this adjacency. A total becomes one step without sampling
// whose mean shift is mu.
GaussianRun equivalent_run(std::span<const Mechanism> mechanisms, Adjacency adjacency);

// The mechanisms of a planned run.
std::vector<Mechanism> mechanisms_of(std::span<const GaussianPhase> run);

}  // namespace dpvi
