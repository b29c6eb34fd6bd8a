#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/privacy/accountant.hpp>
#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {

// How a claimed epsilon was computed.
struct ClaimBasis {
  Accountant accountant = Accountant::pld;
  Adjacency adjacency = Adjacency::substitute;
  double delta = 0.0;
};

// An epsilon that a bundle claims, computed again.
struct RecomputedEpsilon {
  double epsilon = 0.0;    // by the same accountant
  std::string difference;  // a sentence if the claim is below the cost of the run; else empty
};

// `name` is that of the claim in statement.json. Versions differ in the fifth digit of a cost.
RecomputedEpsilon recompute_epsilon(const std::string& name, double claimed,
                                    const ClaimBasis& basis, std::span<const GaussianPhase> run);

// Compares what a statement derives from its epsilon and its event tree with what follows from
// them: epsilon under the other adjacency, its certified lower end, epsilon of several records,
// beliefs and the fields of the registry. `text` is the statement for people, which repeats these
// numbers. Returns one sentence for each difference. Throws InputError if a number is missing.
//
// Guarantee: a number of a statement that promises more than its event tree is a difference.
std::vector<std::string> derived_claim_differences(const JsonFile& statement,
                                                   const std::string& text, const ClaimBasis& basis,
                                                   std::span<const GaussianPhase> run);

}  // namespace dpvi
