#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/pld.hpp>

#include "plan_output.hpp"

namespace dpvi::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Bounds are rounded in the conservative direction, so that a printed value is still a bound.
std::string rounded_to(double value, int digits, double (*round)(double)) {
  if (value == 0.0 || !std::isfinite(value)) return fmt::format("{}", value);
  const double step = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
  const double slip = round(0.5) == 1.0 ? -1e-9 : 1e-9;  // 1 / .001 may evaluate to 999.99...
  return fmt::format("{:.{}g}", round(value / step + slip) * step, digits);
}

std::string rounded_up(double value, int digits = 4) {
  return rounded_to(value, digits, [](double x) { return std::ceil(x); });
}

std::string rounded_down(double value, int digits = 4) {
  return rounded_to(value, digits, [](double x) { return std::floor(x); });
}

std::string rounded(double value) { return fmt::format("{:.4g}", value); }

std::string words(Adjacency adjacency) {
  return adjacency == Adjacency::substitute ? "substitute" : "add/remove";
}

void write_run(Out out, const PrivacyPlan& plan) {
  for (std::size_t i = 0; i < plan.run.size(); ++i) {
    const GaussianPhase& phase = plan.run[i];
    fmt::format_to(out, "{:<8}{} steps; in each, a record takes part with probability {};\n",
                   plan.run.size() == 1 ? "Plan" : fmt::format("Phase {}", i + 1), phase.steps,
                   rounded(phase.sampling_rate));
    fmt::format_to(out, "        noise multiplier {}\n", rounded_up(phase.noise_multiplier));
  }
  static constexpr const char* kSolved[] = {"epsilon", "delta", "the noise multiplier",
                                            "the number of steps"};
  fmt::format_to(out, "        ({} was computed by the {} accountant)\n\n",
                 kSolved[static_cast<int>(plan.solved_for)], name_of(plan.solver));
}

void write_meaning(Out out, const PrivacyPlan& plan, const std::string& record) {
  const bool substitute = plan.adjacency == Adjacency::substitute;
  fmt::format_to(out, "Guarantee  epsilon {}, delta {}, adjacency {}\n", rounded_up(plan.epsilon),
                 rounded_up(plan.delta), words(plan.adjacency));
  fmt::format_to(out,
                 "  One record is {}. {} changes\n"
                 "  the probability of anything an outsider could see or conclude, from all steps\n"
                 "  together, by a factor of at most e^epsilon = {}, up to an additional\n"
                 "  probability of delta.\n\n",
                 record, substitute ? "Replacing it by any other record" : "Adding or removing it",
                 rounded_up(std::exp(plan.epsilon)));
}

void write_costs(Out out, const PrivacyPlan& plan) {
  fmt::format_to(out, "Both adjacencies at delta {}\n", rounded_up(plan.delta));
  fmt::format_to(out, "  {:<11} epsilon {:<10} a record's values are protected\n", "substitute",
                 rounded_up(plan.epsilon_substitute));
  fmt::format_to(out, "  {:<11} epsilon {:<10} only its presence is protected\n\n", "add/remove",
                 rounded_up(plan.epsilon_add_remove));
  fmt::format_to(out, "Accountants ({})\n", words(plan.adjacency));
  for (const auto& [accountant, report] : plan.accountants) {
    fmt::format_to(out, "  {:<11} epsilon {:<10}", name_of(accountant), rounded_up(report.epsilon));
    if (report.epsilon_ends) {
      fmt::format_to(out, " certified: the true value lies in [{}, {}]",
                     rounded_down(report.epsilon_ends->lower, 5),
                     rounded_up(report.epsilon_ends->upper, 5));
    }
    if (report.order) fmt::format_to(out, " at order {:.4g}", *report.order);
    if (report.order_at_edge)
      fmt::format_to(out, " (at the edge of the allowed orders; a better bound may exist)");
    fmt::format_to(out, "\n");
  }
  for (const auto& [accountant, reason] : plan.reasons) {
    fmt::format_to(out, "  {:<11} no claim: {}\n", name_of(accountant), reason);
  }
  fmt::format_to(out, "\n");
}

void write_noise(Out out, const PrivacyPlan& plan) {
  double information = 0.0;
  for (const GaussianPhase& phase : plan.run) {
    const double per_step = phase.sampling_rate / phase.noise_multiplier;
    information += per_step * per_step * static_cast<double>(phase.steps);
  }
  if (information == 0.0) return;
  const GaussianPhase& first = plan.run.front();
  fmt::format_to(
      out,
      "Noise\n"
      "  In {}step the noise has a standard deviation of {} clip bounds, which is\n"
      "  {} on the scale of the whole table. Averaged over the run, {} remain:\n"
      "  noise shifts the result as much as that many records of the largest influence.\n\n",
      plan.run.size() == 1 ? "each " : "the first phase's ", rounded(first.noise_multiplier),
      rounded(first.noise_multiplier / first.sampling_rate), rounded(1.0 / std::sqrt(information)));
}

// A table of changes needs three digits, not the seven of a certificate.
constexpr PldEffort kSketch{.wanted_error = 1e-3,
                            .relative_width = 1e-2,
                            .absolute_width = 1e-3,
                            .usual_length = std::size_t{1} << 13,
                            .few_steps_length = std::size_t{1} << 13,
                            .largest_length = std::size_t{1} << 17};

std::string epsilon_after(const PrivacyPlan& plan, double steps_factor, double rate_factor) {
  GaussianRun run = plan.run;
  for (GaussianPhase& phase : run) {
    phase.steps = std::llround(static_cast<double>(phase.steps) * steps_factor);
    phase.sampling_rate = std::min(1.0, phase.sampling_rate * rate_factor);
  }
  return rounded_up(pld_epsilon(run, plan.adjacency, plan.delta, kSketch).upper);
}

std::string noise_for(const PrivacyPlan& plan, double epsilon_factor) {
  try {
    const PrivacyTarget target{plan.adjacency, plan.epsilon * epsilon_factor, plan.delta};
    const CalibratedRun found = calibrate_noise(plan.run, target, kSketch);
    return rounded_up(found.run.front().noise_multiplier);
  } catch (const UsageError&) {
    return "no value is large enough";
  }
}

void write_changes(Out out, const PrivacyPlan& plan) {
  if (total_steps(plan.run) == 0) return;
  const auto row = [&](const char* change, const char* effect, const std::string& value) {
    fmt::format_to(out, "  {:<26}-> {} {}\n", change, effect, value);
  };
  fmt::format_to(out, "Effects of a change (approximate, all else equal)\n");
  row("half the steps", "epsilon", epsilon_after(plan, 0.5, 1.0));
  row("twice the steps", "epsilon", epsilon_after(plan, 2.0, 1.0));
  row("half the sampling rate", "epsilon", epsilon_after(plan, 1.0, 0.5));
  row("twice the sampling rate", "epsilon", epsilon_after(plan, 1.0, 2.0));
  row("half the epsilon", "noise multiplier", noise_for(plan, 0.5));
  row("twice the epsilon", "noise multiplier", noise_for(plan, 2.0));
}

}  // namespace

std::string plan_text(const PrivacyPlan& plan, const std::string& record) {
  std::string text;
  const Out out(text);
  write_run(out, plan);
  write_meaning(out, plan, record);
  write_costs(out, plan);
  write_noise(out, plan);
  write_changes(out, plan);
  return text;
}

}  // namespace dpvi::cli
