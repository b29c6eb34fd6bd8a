#include <dpvi/sample/sampled_chains.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// The extreme of the values of all diagnostics; `first` is returned for an empty list.
template <class Value, class Worse>
double worst(const std::vector<ChainDiagnostics>& all, double first, const Value& value,
             const Worse& worse) {
  for (const ChainDiagnostics& diagnostics : all) {
    const double next = value(diagnostics);
    if (std::isnan(next)) return next;
    if (worse(next, first)) first = next;
  }
  return first;
}

}  // namespace

std::int64_t SampledChains::divergences() const {
  return std::count_if(statistics.begin(), statistics.end(),
                       [](const DrawStatistics& draw) { return draw.divergent; });
}

std::int64_t SampledChains::saturations() const {
  return std::count_if(statistics.begin(), statistics.end(), [&](const DrawStatistics& draw) {
    return draw.tree_depth >= max_tree_depth;
  });
}

double SampledChains::largest_r_hat() const {
  return worst(
      diagnostics, 1.0, [](const ChainDiagnostics& d) { return d.r_hat; }, std::greater<>());
}

double SampledChains::smallest_ess() const {
  return worst(
      diagnostics, INFINITY,
      [](const ChainDiagnostics& d) {
        return std::isnan(d.ess_tail) ? d.ess_tail : std::min(d.ess_bulk, d.ess_tail);
      },
      std::less<>());
}

ChainDiagnostics diagnose_column(const SampledChains& chains,
                                 const std::vector<std::vector<double>>& draws,
                                 std::size_t column) {
  std::vector<std::vector<double>> columns(chains.chains);
  for (std::size_t row = 0; row < draws.size(); ++row) {
    columns[row / chains.draws_per_chain].push_back(draws[row][column]);
  }
  return diagnose_chains(columns);
}

}  // namespace dpvi
