#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <dpvi/audit/audit.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {

// Keys of an audit that are the same on every execution.
inline AuditKeys fixed_audit_keys() {
  return [](bool with_canary, std::uint64_t run) {
    const std::uint64_t number = 4 * run + (with_canary ? 2u : 0u);
    return LoopRandomness{FixedKeyForTests::generator(number),
                          FixedKeyForTests::generator(number + 1)};
  };
}

inline std::string describe(const AuditReport& report) {
  std::string text;
  for (const AuditFinding& finding : report.findings) {
    text += fmt::format("{} ({}): claim {:.3f}, lower bound {:.3f}, {} runs{}\n", finding.name,
                        name_of(finding.adjacency), finding.claim_epsilon, finding.lower_bound,
                        finding.runs, finding.refuted ? ", refuted" : "");
  }
  return text;
}

}  // namespace dpvi
