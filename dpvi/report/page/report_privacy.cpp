#include <fmt/format.h>

#include <cmath>

#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/belief.hpp>
#include <dpvi/report/page/report_sections.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

constexpr double kStrong = 1.0;  // protection is called strong up to this epsilon

// "one in 1,000,000", or "one in about" if that is rounded.
std::string one_in(double probability) {
  constexpr double kMostDigits = 1e15;
  const double times = std::round(1.0 / probability);
  if (!(times < kMostDigits)) return fmt::format("one in {:.3g}", times);
  std::string digits = fmt::format("{:.0f}", times);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  const bool whole = std::abs(times * probability - 1.0) < 1e-6;
  return (whole ? "one in " : "one in about ") + digits;
}

std::string plain_words(const ReportContent& content) {
  const PrivacyStamp& stamp = content.bundle.stamp;
  const double epsilon = *stamp.epsilon, delta = *stamp.delta;
  constexpr double kNearlySure = 0.9995;
  const double highest = highest_belief(epsilon, 0.5);
  const std::string& unit = content.statement.unit;
  std::string out = fmt::format(
      "<p>If any single record had been {}, every result would have been at most {} times as "
      "likely as it was (e to the power &epsilon;), up to &delta;.{}{}</p>\n",
      stamp.adjacency == "substitute" ? "replaced by another" : "left out or added",
      rounded_up(std::exp(epsilon)),
      epsilon <= kStrong ? " So nobody who sees these numbers, whatever else they know, can learn "
                           "much about one record."
                         : " The table shows what that lets somebody learn about one record.",
      unit.empty() ? "" : fmt::format(" The unit of privacy is {}.", escaped_markup(unit)));
  out += fmt::format(
      "<p>In terms of belief: somebody who was 50&nbsp;% sure of a fact about a record can become "
      "{} sure. &delta; = {} ({}) is the most that can be added to the probability of any such "
      "success.</p>\n",
      highest > kNearlySure ? "nearly" : "at most " + changed_percentage(highest, 0.5),
      rounded_up(delta), one_in(delta));
  if (epsilon > kWeakEpsilon) {
    out += fmt::format(
        "<p class=\"note\"><strong>This is weak protection.</strong> At &epsilon; above {:g}, the "
        "formal guarantee alone allows somebody to become nearly certain about a record.</p>\n",
        kWeakEpsilon);
  }
  return out;
}

std::string claim_table(const ReportContent& content) {
  const PrivacyStamp& stamp = content.bundle.stamp;
  const ReportStatement& statement = content.statement;
  std::string out = "<table>\n<caption>The claim</caption>\n<tbody>\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, escaped_markup(value));
  };
  row("&epsilon;", rounded_up(*stamp.epsilon));
  row("&delta;", rounded_up(*stamp.delta));
  row("neighbouring tables", stamp.adjacency == "substitute"
                                 ? "substitute: one record is replaced"
                                 : stamp.adjacency + ": one record is added or left out");
  if (statement.epsilon_other_adjacency) {
    row(stamp.adjacency == "substitute" ? "&epsilon; under add-remove"
                                        : "&epsilon; under substitute",
        rounded_up(*statement.epsilon_other_adjacency));
  }
  if (statement.epsilon_lower) {
    row("certified lower end of &epsilon;", rounded_down(*statement.epsilon_lower));
  }
  row("accountant", statement.accountant);
  row("protects", statement.protects);
  row("ledger", statement.counting);
  return out + "</tbody></table>\n";
}

// What [study] declared, without the title, which is that of the page.
std::string study_table(const Study& study) {
  std::string rows;
  for (const StudyField& field : kStudyFields) {
    const std::string& text = study.*field.value;
    if (text.empty() || field.key == "title") continue;
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", field.meaning,
                        escaped_markup(text));
  }
  if (rows.empty()) return {};
  return "<table>\n<caption>The study</caption>\n<tbody>\n" + rows + "</tbody></table>\n";
}

// A person with several records is protected less.
std::string groups_sentence(const std::vector<ReportGroup>& groups) {
  std::string words;
  for (const auto& [records, epsilon] : groups) {
    if (!(records > 1.0)) continue;
    words += fmt::format("{}{:.0f} records together have &epsilon;&nbsp;=&nbsp;{}",
                         words.empty() ? "" : "; ", records, rounded_up(epsilon));
  }
  if (words.empty()) return {};
  return "<p>Somebody with several records is protected less: " + words + ".</p>\n";
}

std::string mechanism(const ReportStatement& statement) {
  if (statement.phases.empty()) return {};
  std::string out =
      "<details><summary>The mechanism</summary>\n<table>\n<thead><tr><th scope=\"col\">steps</th>"
      "<th scope=\"col\">sampling rate</th><th scope=\"col\">noise multiplier</th></tr></thead>\n"
      "<tbody>\n";
  for (const ReportPhase& phase : statement.phases) {
    out += fmt::format("<tr><td>{:.0f}</td><td>{}</td><td>{}</td></tr>\n", phase.steps,
                       shown_number(phase.sampling_rate), shown_number(phase.noise_multiplier));
  }
  out += "</tbody></table>\n";
  for (const std::string& sentence : {statement.sampler, statement.noise}) {
    if (!sentence.empty()) out += fmt::format("<p>{}.</p>\n", escaped_markup(sentence));
  }
  return out + "</details>\n";
}

std::string folded_list(std::string_view heading, const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  return fmt::format("<details><summary>{} ({})</summary>\n{}</details>\n", heading, texts.size(),
                     bullet_list(texts));
}

}  // namespace

std::optional<PageSection> privacy_section(const ReportContent& content) {
  const ReportStatement& statement = content.statement;
  if (!content.bundle.stamp.is_private) {
    return PageSection{
        "privacy", "Privacy",
        fmt::format("<p class=\"alarm\"><strong>{}.</strong> Every number on this page may reveal "
                    "what single records hold.</p>\n",
                    escaped_markup(kNotPrivateNotice)) +
            folded_list("What was declared public", statement.public_facts)};
  }
  const double epsilon = *content.bundle.stamp.epsilon;
  std::string body = plain_words(content);
  body += "<div class=\"side\">\n" +
          figure_with(svg_card(belief_chart(epsilon), SvgUse::in_page),
                      "The line in the middle: somebody who was 50 % sure before.") +
          fmt::format("<div>{}</div>\n</div>\n", belief_table(epsilon) + claim_table(content));
  body += groups_sentence(statement.groups);
  body += study_table(statement.study);
  body += mechanism(statement);
  body += folded_list("What was declared public", statement.public_facts);
  std::vector<std::string> assumptions = statement.assumptions;
  if (!statement.tuning.empty()) assumptions.push_back("Tuning: " + statement.tuning + ".");
  body += folded_list("What is not protected", statement.not_protected);
  body += folded_list("Assumptions without which the claim is void", assumptions);
  body +=
      "<p>The whole statement is in <code>statement.md</code>; <code>dp_event</code> in "
      "<code>statement.json</code> lets anyone recompute &epsilon;.</p>\n";
  return PageSection{"privacy", "Privacy", std::move(body)};
}

}  // namespace dpvi
