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

std::string plain_words(const ReportContent& content) {
  const PrivacyStamp& stamp = content.bundle.stamp;
  const bool substitute = stamp.adjacency == "substitute";
  const std::string& unit = content.statement.unit;
  std::string out = fmt::format(
      "<p>The published numbers would have been almost as likely if any single record had been {}. "
      "So nobody who sees them, whatever else they know, can tell much about one record.{}</p>\n",
      substitute ? "replaced by another" : "left out or added",
      unit.empty() ? "" : fmt::format(" The unit of privacy is {}.", escaped_markup(unit)));
  const double epsilon = *stamp.epsilon;
  out += fmt::format(
      "<p>In numbers: seeing this result changes the probability of any conclusion by a factor of "
      "at most {} (e to the power &epsilon;), up to an additional probability of {}. Somebody who "
      "was 50&nbsp;% sure of a fact about a record can become at most {} sure.</p>\n",
      rounded_up(std::exp(epsilon)), rounded_up(*stamp.delta),
      percentage(highest_belief(epsilon, 0.5)));
  constexpr double kWeak = 3.0;
  if (epsilon > kWeak) {
    out += fmt::format(
        "<p class=\"note\"><strong>This is weak protection.</strong> At &epsilon; above {:g}, the "
        "formal guarantee alone allows somebody to become nearly certain about a record.</p>\n",
        kWeak);
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
  row("neighbouring tables", stamp.adjacency);
  if (statement.epsilon_other_adjacency) {
    row(stamp.adjacency == "substitute" ? "&epsilon; under add-remove"
                                        : "&epsilon; under substitute",
        rounded_up(*statement.epsilon_other_adjacency));
  }
  if (statement.epsilon_lower) {
    row("certified lower end of &epsilon;", number_text(*statement.epsilon_lower, 4));
  }
  row("accountant", statement.accountant);
  row("protects", statement.protects);
  return out + "</tbody></table>\n";
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
          figure_with(svg_card(belief_chart(epsilon), SvgUse::in_page), "") +
          fmt::format("<div>{}</div>\n</div>\n", belief_table(epsilon) + claim_table(content));
  body += mechanism(statement);
  body += folded_list("What was declared public", statement.public_facts);
  std::vector<std::string> assumptions = statement.assumptions;
  if (!statement.tuning.empty()) assumptions.push_back("Tuning: " + statement.tuning + ".");
  body += folded_list("What is not protected, and assumptions without which the claim is void",
                      assumptions);
  body +=
      "<p>The whole statement is in <code>statement.md</code>; <code>dp_event</code> in "
      "<code>statement.json</code> lets anyone recompute &epsilon;.</p>\n";
  return PageSection{"privacy", "Privacy", std::move(body)};
}

}  // namespace dpvi
