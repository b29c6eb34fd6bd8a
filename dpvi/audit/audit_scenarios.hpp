#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpvi/audit/canary_loop.hpp>
#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// One attack on the production loop: a canary, the records around it, and what the accountant is
// told about the run.
struct AuditScenario {
  std::string name;
  Adjacency adjacency;
  GaussianRun run;
  std::shared_ptr<const CanaryLoop> loop;
};

// All attacks, each under both adjacencies.
std::vector<AuditScenario> audit_scenarios();

}  // namespace dpvi
