#pragma once

#include <vector>

#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// The statements for which the graph of a run on several symbolic records does not show that they
// are sums of terms with one record each. The check is conservative: algebra may still turn a
// listed statement into such a sum, as in log(a * b) = log(a) + log(b). A statement that is not
// listed needs no further proof that it separates the records.
std::vector<Spot> statements_joining_records(const Graph& graph, const ProgramRun& run);

}  // namespace dpvi
