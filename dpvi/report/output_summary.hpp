#pragma once

#include <string>
#include <vector>

#include <dpvi/eval/draw_summary.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/sample/mcmc_diagnostics.hpp>

namespace dpvi {

// Summary of one column of the draws, with the standard deviations that the model and the noise
// alone would give.
struct OutputSummary {
  std::string name;  // with brackets
  DrawSummary draws;
  double sd_model;
  double sd_privacy;
  ChainDiagnostics chains = {};  // of draws that are Markov chains
};

// Bundles of version 0.2 and earlier have draws without privacy uncertainty.
bool draws_lack_noise(const Bundle& bundle);

// The draws of one column. Those of version 0.2 and earlier are widened as the noise requires.
std::vector<double> output_draws(const Bundle& bundle, std::size_t column);

// One summary for each column of the draws.
std::vector<OutputSummary> output_summaries(const Bundle& bundle);

// What to do about a result that is not ok. Another fit of the same records costs their privacy
// again, so the advice names its price. Requires a verdict. One sentence each.
std::vector<std::string> advice_on(const Bundle& bundle);

}  // namespace dpvi
