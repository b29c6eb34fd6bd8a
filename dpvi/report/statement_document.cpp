#include <dpvi/report/statement_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/belief.hpp>

namespace dpvi {
namespace {

constexpr const char* kBlank = "______________________________";

std::string cell_or_blank(const std::string& text, std::string_view key) {
  if (!text.empty()) return escaped_markdown(text);
  return fmt::format("{} (to fill in, or `{}` in `[study]` of the schema)", kBlank, key);
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + markdown_code(names[i]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace

std::string study_section(const FitResult& result, const StatementFacts& facts) {
  std::string text = "| | |\n|---|---|\n";
  for (const StudyField& field : kStudyFields) {
    if (field.value == &Study::signatory) continue;
    text += fmt::format("| {} | {} |\n", field.meaning,
                        cell_or_blank(result.study.*field.value, field.key));
  }
  text += fmt::format("| date of the run | {} UTC |\n", result.started_at);
  text += fmt::format("| model | {} |\n", markdown_code(result.model_name));
  return text + fmt::format("| program | dpvi {}, commit {} |\n\n", facts.program.version,
                            facts.program.commit);
}

std::string plain_section(const FitResult& result, const StatementFacts& facts) {
  const PrivacyPlan& plan = result.privacy->plan();
  std::string text = fmt::format(
      "## In plain words\n\n"
      "Random noise hides what a single record adds to this result. Suppose that somebody believes "
      "with a probability of 50 % that a fact about one record is true. After seeing everything "
      "published here, this belief can rise to at most {}, whatever else this person knows.\n\n"
      "| belief before | at least, after | at most, after |\n|---|---|---|\n",
      changed_percentage(facts.beliefs.back().at_most, facts.beliefs.back().before));
  for (const BeliefRange& belief : facts.beliefs) {
    text += fmt::format("| {} | {} | {} |\n", percentage(belief.before),
                        changed_percentage(belief.at_least, belief.before),
                        changed_percentage(belief.at_most, belief.before));
  }
  text += fmt::format(
      "\nEpsilon, {}, sets these numbers; 0 would mean that nothing can be learned. Delta, {}, is "
      "the probability that is left out of them: every probability may also differ by that much. "
      "With delta included, somebody who is told two possible contents of a record, both equally "
      "likely, and guesses from this result which of them is true, is right with a probability of "
      "at most {}.\n\n",
      rounded_up(plan.epsilon), rounded_up(plan.delta), percentage(facts.right_guesses));
  constexpr double kCommonPractice = 10.0;
  if (plan.epsilon > kCommonPractice) {
    text += fmt::format(
        "**An epsilon above {:g} is beyond common practice.** The numbers above allow somebody to "
        "become nearly certain about a record.\n\n",
        kCommonPractice);
  }
  return text;
}

std::string unprotected_section(const FitResult& result, const StatementFacts& facts) {
  std::string text = "## What is not protected\n\n";
  for (const std::string& sentence : facts.not_protected)
    text += fmt::format("- {}\n", escaped_markdown(sentence));
  text +=
      fmt::format("\n| {} | epsilon, at delta {} | belief of 50 % can rise to |\n|---|---|---|\n",
                  result.unit ? "records (ids) together" : "rows of one person",
                  rounded_up(result.privacy->plan().delta));
  for (const GroupEpsilon& group : facts.groups) {
    text += fmt::format("| {} | {} | {} |\n", group.records, rounded_up(group.epsilon),
                        percentage(highest_belief(group.epsilon, 0.5)));
  }
  return text + "\n";
}

std::string accuracy_section(const FitResult& result, const StatementFacts& facts) {
  constexpr std::size_t kMostNames = 10;
  const AccuracyFacts& accuracy = facts.accuracy;
  std::string text =
      fmt::format("## Accuracy\n\nStatus of the fit: {}.\n", name_of(result.verdict.status));
  for (const StatusReason& reason : result.verdict.reasons) {
    text +=
        fmt::format("- {}: {}{}{}.\n", name_of(reason.status), escaped_markdown(reason.words),
                    reason.parameters.empty() ? "" : ": ", listed(reason.parameters, kMostNames));
  }
  if (accuracy.quantities > 0) {
    text += fmt::format(
        "\nThe published intervals contain the noise. For the median of the {} published "
        "quantities, noise is {:.0f} % of the variance. ",
        accuracy.quantities, 100.0 * accuracy.median_share);
    text += accuracy.drowned.empty()
                ? "No quantity owes more than half of its variance to noise.\n"
                : fmt::format(
                      "More than half of the variance is noise for {} of them: {}. The noise is "
                      "the same "
                      "for all, so it hides most what rests on few records: effects of small "
                      "groups are pulled towards the prior, and differences between such groups "
                      "should not be read from this result.\n",
                      accuracy.drowned.size(), listed(accuracy.drowned, kMostNames));
  }
  return text + "\n";
}

std::string spent_section(const FitResult& result) {
  std::string text = "## What has been spent on this data set\n\n";
  if (!result.ledger || !result.ledger->total) {
    return text +
           "No ledger counts this run. Every other result from the same records adds to what can "
           "be learned about them, and nobody adds it up.\n\n";
  }
  const LedgerTotal& total = *result.ledger->total;
  return text +
         fmt::format(
             "With this run, {} charged run{} of the ledger together cost epsilon {} of a "
             "budget of {} at delta {} ({} adjacency). The guarantee for all of them is the "
             "budget. The smaller number holds if no run depended on the result of another.\n\n",
             total.runs, total.runs == 1 ? "" : "s", rounded_up(total.spent_epsilon),
             rounded_up(total.budget_epsilon), rounded_up(total.budget_delta), total.adjacency);
}

std::string signature_section(const FitResult& result) {
  const std::string& name = result.study.signatory;
  return fmt::format(
      "\n## Signature\n\nThe assumptions above hold as far as I know.\n\n"
      "| | |\n|---|---|\n| name and function | {} |\n| place and date | {} |\n| signature | {} |\n",
      name.empty() ? kBlank : escaped_markdown(name), kBlank, kBlank);
}

}  // namespace dpvi
