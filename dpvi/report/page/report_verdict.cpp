#include <fmt/format.h>

#include <algorithm>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/report_sections.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

std::string meaning_of(FitStatus status) {
  switch (status) {
    case FitStatus::ok:
      return "Nothing speaks against these numbers.";
    case FitStatus::weak:
      return "For some parameters the records and the noise say little more than the prior.";
    case FitStatus::biased:
      return "Clipping moved some parameters by more than their uncertainty says.";
    case FitStatus::failed:
      break;
  }
  return "The fit did not reach an answer. Its numbers must not be used.";
}

std::string named_parameters(const ReportContent& content, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? ": " : ", ") + content.coordinate_name(names[i]);
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

}  // namespace

std::string report_title(const ReportContent& content) {
  if (!content.statement.study.title.empty()) return content.statement.study.title;
  return content.run.model.empty() ? "Posterior" : "Posterior of " + content.run.model + ".stan";
}

std::string report_head(const ReportContent& content) {
  const PrivacyStamp& stamp = content.bundle.stamp;
  const ReportRun& run = content.run;
  std::string out = fmt::format("<h1>{}</h1>\n", escaped_markup(report_title(content)));
  if (stamp.is_private) {
    const bool weak = *stamp.epsilon > kWeakEpsilon;
    out += fmt::format(
        "<p class=\"stamp{}\">Differentially private{}: <span class=\"whole\">&epsilon; = {}, "
        "&delta; = {}</span></p>\n",
        weak ? " weak" : "", weak ? ", but weakly" : "", rounded_up(*stamp.epsilon),
        rounded_up(*stamp.delta));
  } else {
    out += fmt::format("<p class=\"alarm\"><strong>{}</strong></p>\n",
                       escaped_markup(kNotPrivateNotice));
  }
  const auto counted = [](std::size_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  out += fmt::format("<p class=\"facts\">{}, {}", counted(content.outputs.size(), "number"),
                     counted(content.bundle.draws.draws.size(), "draw"));
  if (!run.version.empty()) out += ", dpvi " + escaped_markup(run.version);
  if (!run.started_at.empty()) out += ", " + escaped_markup(run.started_at);
  return out + "</p>\n";
}

PageSection verdict_section(const ReportContent& content) {
  const Posterior& posterior = content.bundle.posterior;
  PageSection section{"verdict", "Can these numbers be used?", ""};
  if (!posterior.verdict) {
    section.body = fmt::format(
        "<p>Optimisation: <strong>{}</strong>. An earlier version of dpvi wrote this bundle; it "
        "did not judge the fit further.</p>\n",
        escaped_markup(posterior.optimisation));
    return section;
  }
  const FitVerdict& verdict = *posterior.verdict;
  section.body = fmt::format("<p class=\"verdict {0}\"><strong>Status: {0}.</strong> {1}{2}</p>\n",
                             name_of(verdict.status), meaning_of(verdict.status),
                             content.bundle.stamp.is_private ? "" : " They must not be published.");
  std::vector<std::string> reasons;
  for (const StatusReason& reason : verdict.reasons) {
    reasons.push_back(fmt::format("{}: {}{}", name_of(reason.status), reason.words,
                                  named_parameters(content, reason.parameters)));
  }
  if (!reasons.empty()) section.body += bullet_list(reasons);
  if (verdict.status != FitStatus::ok) {
    section.body += "<h3>What to do</h3>\n" + bullet_list(advice_on(content.bundle));
  }
  if (draws_lack_noise(content.bundle)) {
    section.body +=
        "<p>Intervals on this page include the privacy noise; the draws in draws.csv do not.</p>\n";
  }
  return section;
}

}  // namespace dpvi
