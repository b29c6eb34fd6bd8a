#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// What is known of a program's data while some public values are still to be given.
struct PartialBinding {
  Binding binding;                      // of the record variables whose columns are known
  std::vector<std::string> undeclared;  // public data without a value, in the program's order
};

// Like bind_columns, but leaves out what is not declared yet instead of refusing it (DP341). What
// is declared must fit, as there.
PartialBinding bind_what_is_known(const BindingRequest& request);

}  // namespace dpvi
