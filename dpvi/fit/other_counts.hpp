#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/model_check.hpp>

// Parts of check_model(): data that are counted by another int than the records. `undeclared` are
// the public data that nobody has declared.
namespace dpvi {

// Another count than the records', or one for each outcome, as brms writes for several outcomes.
void refuse_several_counts(ModelCheck& check, const std::vector<std::string>& undeclared);

// Observations beside the records, unless somebody has declared them public.
void refuse_second_table(ModelCheck& check, const StanProgram& program,
                         const std::vector<std::string>& undeclared);

}  // namespace dpvi
