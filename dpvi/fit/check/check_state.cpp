#include <dpvi/fit/check/check_state.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {

void CheckState::take(const Findings& findings) {
  for (const Finding& finding : findings.list()) {
    const SourcePlace place{check.file, static_cast<int>(finding.spot.line),
                            static_cast<int>(finding.spot.column)};
    check.findings.push_back(
        {finding.severity, finding.code, place, finding.message, finding.hint});
  }
}

RecordDataSummary& CheckState::record_data(const std::string& name) {
  return *std::find_if(check.record_data.begin(), check.record_data.end(),
                       [&](const RecordDataSummary& one) { return one.name == name; });
}

std::string CheckState::with_mock_values() const {
  if (!check.with_mock_data) return "";
  return fmt::format(" (with mock values for {})", fmt::join(undeclared, ", "));
}

}  // namespace dpvi
