#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/check/model_check.hpp>

namespace dpvi {

// The state that the parts of check_model() share.
struct CheckState {
  const CheckRequest& request;
  const StanProgram& program;
  ModelCheck check;
  Binding binding;                      // record variables whose columns are known
  std::vector<std::string> undeclared;  // public data without a declared value

  void take(const Findings& findings);
  // Finds the summary of a record variable.
  RecordDataSummary& record_data(const std::string& name);
  // " (with mock values for a, b)", or nothing if all public data are declared.
  std::string with_mock_values() const;
};

}  // namespace dpvi
