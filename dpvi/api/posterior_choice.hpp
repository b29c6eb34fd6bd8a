#pragma once

#include <optional>
#include <string>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/fit/plan/trace_plan.hpp>

namespace dpvi {

// How the posterior of a fit follows from its releases, and why.
struct PosteriorChoice {
  PosteriorKind kind = PosteriorKind::variational;  // never automatic
  std::string reason = "as requested";
  std::optional<TracePlan> trace = std::nullopt;  // if the kind is trace
};

// The kind that the request leads to before program and schema are known; automatic if they decide.
PosteriorKind requested_posterior(const FitRequest& request);

// Decides from the request, the program and its schema. Throws UsageError if a posterior from
// measurements was asked for but does not exist.
PosteriorChoice choose_posterior(const BoundModel& bound, const FitRequest& request,
                                 const MockStudy& study);

}  // namespace dpvi
