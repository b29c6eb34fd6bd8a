#include <dpvi/report/statement_facts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

std::vector<std::string> assumptions() {
  return {
      "The operator is trusted: whoever ran the fit saw the records and held the key of its noise.",
      "Public facts are public: the model, the schema, the settings and the values listed as "
      "public "
      "were chosen without looking at the records.",
      "One run: the numbers cover this run alone. Other results from the same records add their "
      "own "
      "cost, which only a shared ledger counts.",
      "The random key was used once: the machine was not resumed twice from one snapshot while the "
      "fit was running.",
      "The table is a well-formed file: whether it could be read at all is not covered. A file "
      "that is malformed (a row with the wrong number of cells, broken quotes, a row above 64 "
      "megabytes, damaged compression) is refused before any budget is spent, and the message is "
      "for the curator of the table.",
      "Timing is not covered: how long the run took, and what else could be observed about the "
      "machine while it ran, are not protected.",
  };
}

std::string unit_description(const FitResult& result) {
  const std::string& counts = result.inputs.record_count;
  if (!result.unit) return one_row_text(counts);
  const bool several = counts.find(',') != std::string::npos;
  return fmt::format(
      "one record: all rows of the table{} with the same {}, whatever their content and number "
      "(the "
      "first {} of them are used)",
      several ? fmt::format("s counted by {} together", counts) : "", result.unit->column,
      result.unit->max_rows);
}

std::string id_assumption(const UnitOfPrivacy& unit) {
  return fmt::format(
      "Ids are correct: rows belong together if and only if they have the same {}, byte for byte. "
      "A person with several ids counts as several records. Each of them is protected, but not all "
      "of them at once at this epsilon.",
      unit.column);
}

std::string one_row_assumption() {
  return "No person has two rows: the schema declares it, and nothing in the table was compared to "
         "confirm it. A person with several rows is protected less, as stated under 'What is not "
         "protected'.";
}

std::vector<std::string> not_protected(const FitResult& result) {
  std::vector<std::string> sentences = {
      "Facts about groups: what the result says about all records together, such as a relation "
      "between two columns, can be applied to anybody, whether or not their record was in the "
      "table. Publishing such facts is the purpose of the result.",
      "What was declared public: the model, the schema, the settings and the names of the columns.",
      "What else is known or published about the same people, and the records themselves where "
      "they are kept."};
  sentences.push_back(
      result.unit
          ? fmt::format("Several people at once, or one person with several values of {}: their "
                        "epsilon is larger, as the table says.",
                        result.unit->column)
          : "A person with several rows, or several people at once: one row is one record, and the "
            "epsilon of several rows is larger, as the table says.");
  return sentences;
}

AccuracyFacts accuracy_of(const FitResult& result) {
  const std::vector<std::string> names = column_names(result.outputs);
  std::vector<std::pair<double, std::string>> shares;  // of the variance
  for (std::size_t i = 0; i < names.size() && i < result.sd_model.size(); ++i) {
    const double model = result.sd_model[i] * result.sd_model[i];
    const double noise = result.sd_privacy[i] * result.sd_privacy[i];
    if (std::isfinite(model + noise) && model + noise > 0) {
      shares.emplace_back(noise / (model + noise), bracketed_name(names[i]));
    }
  }
  AccuracyFacts facts{.quantities = shares.size(),
                      .median_share = std::numeric_limits<double>::quiet_NaN()};
  if (shares.empty()) return facts;
  std::ranges::stable_sort(shares, std::greater{}, &std::pair<double, std::string>::first);
  facts.median_share = shares[shares.size() / 2].first;
  for (const auto& [share, name] : shares) {
    if (share > 0.5) facts.drowned.push_back(name);
  }
  return facts;
}

// The word of the ledger itself is in its file; the mark ties this result to it.
std::string counting_sentence(const std::optional<LedgerMark>& ledger) {
  if (!ledger) {
    return "No ledger counts this run: nobody adds up what results from these records reveal "
           "together";
  }
  return fmt::format(
      "Entry {} of the ledger {} counts this run; that ledger had {} lines, the last with hash {}, "
      "when the run started",
      ledger->entry, ledger->ledger, ledger->position, ledger->head);
}

}  // namespace

std::string one_row_text(const std::string& record_count) {
  if (record_count.find(',') == std::string::npos) return kOneRow;
  return fmt::format("one record: one row of one of the tables counted by {}, whichever it is in",
                     record_count);
}

std::string_view adjacency_name(Adjacency adjacency) {
  return adjacency == Adjacency::substitute ? "substitute" : "add-remove";
}

StatementFacts statement_facts(const FitResult& result, const ProgramVersion& program) {
  const PrivacyPlan& plan = result.privacy->plan();
  StatementFacts facts;
  facts.program = program;
  facts.unit = unit_description(result);
  facts.protects =
      "every iterate: all noisy gradients of all steps and everything computed from them, not only "
      "the final result";
  facts.sampler =
      "Poisson sampling: in each step each record takes part independently of all others, with a "
      "probability "
      "that is a whole multiple of 2^-64";
  facts.noise =
      "Gaussian noise with a standard deviation of 2^24 steps of the grid on which clipped "
      "gradients are "
      "whole numbers, rounded to that grid; drawn exactly, from AES-256 in counter mode with a key "
      "from the operating system";
  facts.tuning =
      "not included; settings chosen by looking at the records, or at several results from them, "
      "cost more than is stated here";
  facts.counting = counting_sentence(result.ledger);
  facts.assumptions = assumptions();
  if (result.unit) facts.assumptions.push_back(id_assumption(*result.unit));
  if (result.one_row_per_person) facts.assumptions.push_back(one_row_assumption());
  if (result.inspected_first) {
    facts.assumptions.emplace_back(
        "The table was inspected first: the curator asked for the run to be stopped if a column "
        "had no usable cell. The existence of this result reveals that each column has at least "
        "one, which is not protected.");
  }
  facts.not_protected = not_protected(result);
  facts.groups = group_costs(plan.run, plan.adjacency, plan.delta);
  facts.beliefs = belief_ranges(plan.epsilon);
  facts.right_guesses = right_guesses(plan.epsilon, plan.delta);
  facts.accuracy = accuracy_of(result);
  facts.epsilon_other_adjacency =
      plan.adjacency == Adjacency::substitute ? plan.epsilon_add_remove : plan.epsilon_substitute;
  for (const auto& [accountant, report] : plan.accountants) {
    if (report.epsilon_ends) facts.epsilon_lower = report.epsilon_ends->lower;
  }
  return facts;
}

}  // namespace dpvi
