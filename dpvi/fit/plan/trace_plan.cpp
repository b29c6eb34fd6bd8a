#include <dpvi/fit/plan/trace_plan.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <dpvi/fit/plan/mock_facts.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostNumbers = 250;

// Why the releases of this model could not be read as measurements; empty if they can.
std::string reason_against(const ReleaseModel& release, const FitSettings& settings) {
  if (settings.langevin) return "a Langevin chain was asked for";
  if (settings.gradient == GradientMode::joint) return "the gradient is joint";
  if (settings.clip == ClipMode::normalised) return "gradients are normalised";
  if (release.dimension() == 0) return "records use no parameter";
  if (release.dimension() <= kMostNumbers) return {};
  return fmt::format("records use {} numbers that depend on parameters, more than {}",
                     release.dimension(), kMostNumbers);
}

// The law of enumerated outcomes, for the tape in release coordinates.
OutcomeLaw law_of(const ReleaseModel& release, const MockStudy& study) {
  OutcomeLaw law = study.law;
  if (const auto& columns = study.law.columns) {
    law.columns = outcome_columns(release.records().tape(), columns->integer, columns->lowest,
                                  columns->highest);
  }
  return law;
}

}  // namespace

std::string reason_against_default(const TracePlan& plan, const Binding& binding) {
  const std::span<const std::string> outcomes =
      plan.simulator ? std::span(plan.simulator->outcomes()) : std::span<const std::string>();
  const auto missing = missing_mock_fact(binding, outcomes);
  if (!missing) return {};
  return fmt::format("the schema declares no {} of column '{}'", missing->fact, missing->column);
}

TraceChoice choose_trace(const RecordModel& model, const Binding& binding,
                         const FitSettings& settings, const MockStudy& study,
                         const std::shared_ptr<const ReleaseModel>& release) {
  if (std::string reason = reason_against(*release, settings); !reason.empty()) {
    return {.reason = std::move(reason)};
  }
  const auto accepted = study.law.simulator
                            ? study.law.simulator
                            : std::make_shared<const OutcomeSimulator>(model, binding);
  if (!accepted->found() && !study.law.columns) return {.reason = accepted->description()};
  CountChoice counts;
  if (study.components_separated) {
    counts = choose_counts(model, binding, study, accepted);
    if (!counts.plan) {
      return {.reason = fmt::format("components are exchangeable, and {}", counts.reason)};
    }
  }
  constexpr double kDeclaredSpread = 0.7, kUndeclaredSpread = 2.5;
  TracePlan plan{.model = &model,
                 .release = release,
                 .law = law_of(*release, study),
                 .simulator = accepted->found() ? std::make_shared<const OutcomeSimulator>(
                                                      *accepted, release->records())
                                                : nullptr,
                 .counts = std::move(counts.plan),
                 .records = study.records_in(settings.rows.value_or(kUndeclaredRows)),
                 .records_spread = settings.rows ? kDeclaredSpread : kUndeclaredSpread};
  return {.plan = std::move(plan),
          .reason = fmt::format("the program gives outcomes a law, and records use {} numbers that "
                                "depend on parameters",
                                release->dimension())};
}

}  // namespace dpvi
