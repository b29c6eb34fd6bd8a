#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// The known part of a program's data while some public values are undeclared.
struct PartialBinding {
  Binding binding;                      // record variables whose columns are known
  std::vector<std::string> undeclared;  // public data without a value, in program order
};

// Like bind_columns, but leaves out undeclared data instead of refusing it (DP341). Declared data
// must fit as there.
PartialBinding bind_declared_data(const BindingRequest& request);

}  // namespace dpvi
