#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/statement.hpp>
#include <dpvi/report/statement_document.hpp>
#include <dpvi/report/statement_facts.hpp>

namespace dpvi {
namespace {

// Numbers of the mechanism; statement.json has all digits.
std::string shown(double value) { return number_text(value, 4); }

using Out = std::back_insert_iterator<std::string>;

void write_list(Out out, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    fmt::format_to(out, "- {}\n", escaped_markdown(sentence));
  }
}

void write_claim(Out out, const PrivacyPlan& plan, const StatementFacts& facts) {
  const bool substitute = plan.adjacency == Adjacency::substitute;
  fmt::format_to(out,
                 "## The claim\n\n"
                 "| | |\n|---|---|\n"
                 "| unit of privacy | {} |\n"
                 "| adjacency | {} |\n"
                 "| epsilon | {} |\n"
                 "| delta | {} |\n"
                 "| epsilon under {} | {} |\n\n",
                 escaped_markdown(facts.unit), adjacency_name(plan.adjacency),
                 rounded_up(plan.epsilon), rounded_up(plan.delta),
                 substitute ? "add-remove" : "substitute",
                 rounded_up(facts.epsilon_other_adjacency));
  fmt::format_to(out,
                 "{} changes the probability of anything that could be concluded from this result "
                 "by a factor of at most {} (e to the power epsilon), up to an additional "
                 "probability of {}. That holds whatever else an outsider knows, and whatever the "
                 "model and the records are.\n\n",
                 substitute ? "Replacing one record by any other" : "Adding or removing one record",
                 rounded_up(std::exp(plan.epsilon)), rounded_up(plan.delta));
  fmt::format_to(out, "The guarantee protects {}.\n\n", facts.protects);
}

void write_accounting(Out out, const PrivacyPlan& plan, const StatementFacts& facts) {
  fmt::format_to(out, "Epsilon was computed by the accountant `{}` and is an upper bound.",
                 name_of(plan.solver));
  if (facts.epsilon_lower) {
    fmt::format_to(out,
                   " The true epsilon at this delta is not below {}, a lower bound certified by "
                   "privacy-loss distributions.",
                   rounded_down(*facts.epsilon_lower));
  }
  fmt::format_to(out,
                 " `dp_event` in statement.json is the run as a tree of Google dp_accounting "
                 "events: with it and the adjacency above, anyone can recompute epsilon.\n\n");
}

// Describes what was done to a record's gradient before it was summed.
std::string clipping_text(const ExecutedLoop& loop) {
  std::string bound = shown(loop.clip_bound);
  for (std::size_t i = 1; i < loop.phase_clip_bounds.size(); ++i) {
    bound += fmt::format(", then (phase {}) {}", i + 1, shown(loop.phase_clip_bounds[i]));
  }
  if (loop.clip == "normalised") return fmt::format("scaled to length {}, approximately", bound);
  const bool adapted = loop.clip_coordinate.has_value() || loop.posterior == "trace";
  if (!adapted) return fmt::format("clipped to length {}", bound);
  return fmt::format("clipped to a length that was {} at first and {} in the last step", bound,
                     shown(loop.last_clip_bound));
}

void write_clip_coordinate(Out out, const ExecutedLoop& loop) {
  fmt::format_to(out,
                 "That length was adapted from released values alone. Each record had one more "
                 "coordinate, {} of the length, which indicated whether its gradient was clipped "
                 "(the target was that a share of {} is not). The length bounds all coordinates "
                 "together. This coordinate was therefore summed and released with the others, "
                 "under the same noise, at no further cost.\n\n",
                 shown(*loop.clip_coordinate), shown(*loop.unshortened_share));
}

void write_clip_centre(Out out, const ExecutedLoop& loop) {
  fmt::format_to(out,
                 "Clipping was conditionally unbiased: {}. A record's gradient was clipped so that "
                 "its mean under that distribution stays zero, given the rest of the record. What "
                 "a record contributes depends on that record and on public values alone, and its "
                 "length is bounded as stated.\n\n",
                 escaped_markdown(loop.clip_centre_reason));
}

// nullptr if nothing was counted.
const CountEvidence* counts_of(const FitResult& result) {
  const std::optional<MeasurementEvidence>& measured = result.evidence.measured;
  return measured && measured->counts ? &*measured->counts : nullptr;
}

// Counts are of exchangeable components and come before information.
void write_first_releases(Out out, const CountEvidence* counts) {
  fmt::format_to(out, "\nAll records took part in every step. ");
  if (counts != nullptr) {
    fmt::format_to(out,
                   "The first step counted how many records fall into each of {:.0f} public bins "
                   "of {:.0f} histogram(s) of the outcome. A record adds one entry to each "
                   "histogram, a whole number, and the norm of these entries together is at most "
                   "the bound, which is checked exactly. The start of the fit follows from the "
                   "counts. ",
                   counts->terms, counts->histograms);
  }
  fmt::format_to(out,
                 "The {} step released information: the "
                 "sum of the products v v' of each record's clipped gradient, extended by a "
                 "constant, with itself. The norm of such a product is the square of the norm of "
                 "v, which is a vector of whole numbers with a bound checked exactly. Points, "
                 "coordinates and lengths of later steps follow from earlier releases.\n",
                 counts != nullptr ? "second" : "first");
}

void write_mechanism(Out out, const FitResult& result, const StatementFacts& facts) {
  const PrivacyPlan& plan = result.privacy->plan();
  const ExecutedLoop& loop = result.loop;
  fmt::format_to(out, "## The mechanism, and why it is correct\n\n");
  fmt::format_to(out, "| steps | sampling rate | noise multiplier |\n|---|---|---|\n");
  for (const GaussianPhase& phase : plan.run) {
    fmt::format_to(out, "| {} | {} | {} |\n", phase.steps, shown(phase.sampling_rate),
                   shown(phase.noise_multiplier));
  }
  if (!loop.posterior_reason.empty()) {
    fmt::format_to(out, "\nThe posterior was {} ({}).\n",
                   loop.posterior == "trace" ? "inferred from these releases as measurements"
                                             : "moved by these steps (variational inference)",
                   escaped_markdown(loop.posterior_reason));
  }
  const CountEvidence* counts = counts_of(result);
  if (loop.posterior == "trace") write_first_releases(out, counts);
  fmt::format_to(out,
                 "\nIn each step{} the gradients of the sampled records{} were {}, "
                 "summed, and released with noise of (noise multiplier) times that length as its "
                 "standard deviation.\n\n",
                 loop.posterior != "trace" ? ""
                 : counts != nullptr       ? " after these"
                                           : " after the first",
                 result.unit ? ", each the sum over the record's rows," : "", clipping_text(loop));
  if (loop.clip_centre == "law") write_clip_centre(out, loop);
  if (loop.clip_coordinate) write_clip_coordinate(out, loop);
  fmt::format_to(out, "- {}.\n- {}.\n", facts.sampler, facts.noise);
  fmt::format_to(
      out,
      "- Attacks on floating-point arithmetic do not apply. A record's clipped gradient is a "
      "vector of whole numbers whose length is checked exactly, sums are whole, and noise is added "
      "on the same grid, which is post-processing of the continuous Gaussian mechanism.\n\n");
}

}  // namespace

std::string statement_text(const FitResult& result, const StatementFacts& facts) {
  const PrivacyPlan& plan = result.privacy->plan();
  std::string text = "# Privacy statement\n\n" + study_section(result, facts);
  const Out out(text);
  fmt::format_to(out,
                 "This result of fitting the model {} is ({}, {})-differentially private, by "
                 "construction. Numbers are rounded for reading, bounds upwards; `statement.json` "
                 "has them exactly, and the fields of OpenDP's registry of deployments.\n\n",
                 markdown_code(result.model_name), rounded_up(plan.epsilon),
                 rounded_up(plan.delta));
  text += plain_section(result, facts) + unprotected_section(result, facts) +
          accuracy_section(result, facts) + spent_section(result);
  write_claim(out, plan, facts);
  write_accounting(out, plan, facts);
  write_mechanism(out, result, facts);
  fmt::format_to(out, "## What was declared public\n\n");
  write_list(out, result.public_facts);
  if (result.public_facts.empty())
    fmt::format_to(out, "Nothing besides the model and the settings.\n");
  fmt::format_to(out, "\n## Assumptions without which the claim is void\n\n");
  write_list(out, facts.assumptions);
  fmt::format_to(out,
                 "- Collecting, storing and guarding the records themselves is the curator's task; "
                 "this statement is about the published result.\n"
                 "- Tuning: {}.\n"
                 "- {}.\n",
                 facts.tuning, escaped_markdown(facts.counting));
  return text + signature_section(result);
}

}  // namespace dpvi
