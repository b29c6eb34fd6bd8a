#include <dpvi/eval/row_summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <dpvi/eval/row_parts.hpp>
#include <dpvi/eval/row_quantiles.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RowSummary::RowSummary(std::string what, std::size_t rows)
    : name(std::move(what)), mean(rows, kNan), q5(rows, kNan), q95(rows, kNan) {}

void RowSummary::set(std::size_t row, std::span<double> draws) {
  const double sum = std::accumulate(draws.begin(), draws.end(), 0.0);
  if (std::any_of(draws.begin(), draws.end(), [](double draw) { return std::isnan(draw); })) return;
  mean[row] = sum / static_cast<double>(draws.size());
  const RowQuantiles quantiles = row_quantiles(draws);
  q5[row] = quantiles.q5;
  q95[row] = quantiles.q95;
}

std::vector<RowSummary> summarise_quantities(const RowProgram& program,
                                             std::span<const RowQuantity* const> quantities,
                                             const RowTable& rows, const PosteriorPoints& points) {
  std::vector<RowSummary> summaries;
  std::vector<NodeId> nodes;
  for (const RowQuantity* quantity : quantities) {
    for (const std::string& name : quantity->entry_names)
      summaries.emplace_back(name, rows.count());
    nodes.insert(nodes.end(), quantity->entries.begin(), quantity->entries.end());
  }
  const RowEvaluator evaluator(program, nodes);
  const std::size_t draws = points.thetas.size();
  std::vector<std::optional<RowEvaluator::Workspace>> workspaces(
      static_cast<std::size_t>(points.threads));
  for_each_part(
      rows.count(), rows_per_part(draws * nodes.size()), points.threads,
      [&](int worker, std::size_t first, std::size_t count) {
        auto& workspace = workspaces[static_cast<std::size_t>(worker)];
        if (!workspace) workspace.emplace(evaluator);
        const RowTable part = rows.part(first, count);
        std::vector<double> out(nodes.size() * count * draws);
        evaluator.evaluate(*workspace, {part, first, points.thetas, points.generator}, out);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          for (std::size_t row = 0; row < count; ++row) {
            if (!part.usable[row]) continue;
            summaries[i].set(first + row, std::span(out).subspan((i * count + row) * draws, draws));
          }
        }
      });
  return summaries;
}

}  // namespace dpvi
