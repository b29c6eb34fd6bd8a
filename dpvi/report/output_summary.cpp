#include <dpvi/report/output_summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/number_text.hpp>

namespace dpvi {
namespace {

std::vector<double> written_draws(const Bundle& bundle, std::size_t column) {
  std::vector<double> values(bundle.draws.draws.size());
  std::ranges::transform(bundle.draws.draws, values.begin(),
                         [column](const std::vector<double>& draw) { return draw[column]; });
  return values;
}

// Widens draws around their mean as noise of this size would.
void add_noise(std::vector<double>& column, double noise_sd) {
  const DrawSummary before = summarise_draws(column);
  if (!(before.sd > 0.0) || std::isnan(noise_sd)) return;
  const double factor = std::hypot(before.sd, noise_sd) / before.sd;
  for (double& value : column) value = before.mean + factor * (value - before.mean);
}

ChainDiagnostics diagnose(const std::vector<double>& column, std::size_t chains) {
  std::vector<std::vector<double>> parts;
  const auto length = static_cast<std::ptrdiff_t>(column.size() / chains);
  for (auto first = column.begin(); first != column.end(); first += length) {
    parts.emplace_back(first, first + length);
  }
  return diagnose_chains(parts);
}

}  // namespace

bool draws_lack_noise(const Bundle& bundle) { return bundle.posterior.sd_model.empty(); }

std::vector<double> output_draws(const Bundle& bundle, std::size_t column) {
  std::vector<double> values = written_draws(bundle, column);
  if (draws_lack_noise(bundle)) add_noise(values, bundle.posterior.sd_privacy[column]);
  return values;
}

std::vector<OutputSummary> output_summaries(const Bundle& bundle) {
  std::vector<OutputSummary> result;
  const StanDraws& draws = bundle.draws;
  for (std::size_t i = 0; i < draws.columns.size(); ++i) {
    const double sd_model = draws_lack_noise(bundle) ? summarise_draws(written_draws(bundle, i)).sd
                                                     : bundle.posterior.sd_model[i];
    const std::vector<double> column = output_draws(bundle, i);
    result.push_back({bracketed_name(draws.columns[i]), summarise_draws(column), sd_model,
                      bundle.posterior.sd_privacy[i],
                      draws.chains > 0 ? diagnose(column, draws.chains) : ChainDiagnostics{}});
  }
  return result;
}

std::vector<std::string> advice_on(const Bundle& bundle) {
  const FitVerdict& verdict = *bundle.posterior.verdict;
  const bool failed = verdict.status == FitStatus::failed;
  std::set<std::string> named;
  for (const StatusReason& reason : verdict.reasons) {
    named.insert(reason.parameters.begin(), reason.parameters.end());
  }
  const bool all = named.size() >= bundle.posterior.unconstrained_names.size();
  std::vector<std::string> advice = {failed ? "Do not use these numbers."
                                     : all  ? "No parameter may be used without this caution."
                                            : "Other parameters may be used."};
  if (!bundle.stamp.is_private) return advice;
  if (!failed)
    advice.emplace_back("More records, a larger epsilon or fewer parameters would help.");
  advice.emplace_back("dpvi inspect tells the curator whether the rows were usable.");
  advice.emplace_back("Try other settings on mock records first (dpvi mock).");
  advice.push_back(
      fmt::format("Another private fit of these records brings their cost to at most epsilon {}.",
                  rounded_up(2.0 * *bundle.stamp.epsilon)));
  return advice;
}

}  // namespace dpvi
