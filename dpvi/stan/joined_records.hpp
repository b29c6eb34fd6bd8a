#pragma once

#include <vector>

#include <dpvi/stan/program_run.hpp>

namespace dpvi {

// The statements that the graph of a run on several unknown records does not show to be sums of
// parts with one record each. Algebra may still make them such sums, as in log(a) + log(b) written
// as log(a * b): what is not listed needs no further proof that records are apart, what is listed
// has none.
std::vector<Spot> statements_joining_records(const Graph& graph, const ProgramRun& run);

}  // namespace dpvi
