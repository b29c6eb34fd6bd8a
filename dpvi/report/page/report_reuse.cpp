#include <fmt/format.h>

#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/report_sections.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

constexpr const char* kPaper =
    "Joonas Jälkö, Onur Dikmen and Antti Honkela (2017). Differentially Private Variational "
    "Inference for Non-conjugate Models. Uncertainty in Artificial Intelligence (UAI).";

constexpr const char* kBibtex =
    "@inproceedings{jalko2017dpvi,\n"
    "  author = {J{\\\"a}lk{\\\"o}, Joonas and Dikmen, Onur and Honkela, Antti},\n"
    "  title = {Differentially Private Variational Inference for Non-conjugate Models},\n"
    "  booktitle = {Uncertainty in Artificial Intelligence},\n"
    "  year = {2017}\n"
    "}\n";

std::string this_result(const ReportContent& content) {
  const ReportRun& run = content.run;
  const Study& study = content.statement.study;
  std::string text = study.title.empty() ? "" : study.title + ". ";
  if (!study.controller.empty()) text += study.controller + ". ";
  text += fmt::format("Posterior of the model '{}'", run.model);
  if (!run.version.empty()) text += fmt::format(", computed with dpvi {}", run.version);
  if (!run.started_at.empty()) text += fmt::format(" on {}", run.started_at.substr(0, 10));
  const PrivacyStamp& stamp = content.bundle.stamp;
  if (!stamp.is_private) return fmt::format("{}. {}.", text, kNotPrivateNotice);
  text += fmt::format("; ({}, {})-differentially private ({})", rounded_up(*stamp.epsilon),
                      rounded_up(*stamp.delta), stamp.adjacency);
  if (!run.model_sha256.empty()) {
    text += fmt::format("; SHA-256 of the program begins with {}", run.model_sha256.substr(0, 16));
  }
  return text + ".";
}

}  // namespace

std::optional<PageSection> model_section(const ReportContent& content) {
  if (content.model_text.empty()) return std::nullopt;
  PageSection section{"model", "Model", ""};
  section.body = "<details open><summary>The Stan program</summary>\n" +
                 code_block("model.stan", content.model_text) + "</details>\n";
  if (!content.schema_text.empty()) {
    section.body += "<details><summary>The schema: what was declared about the table</summary>\n" +
                    code_block("schema.toml", content.schema_text) + "</details>\n";
  }
  return section;
}

std::optional<PageSection> dropped_section(const ReportContent& content) {
  PageSection section{"dropped", "What was dropped", ""};
  if (content.run.model.empty()) return std::nullopt;
  if (content.run.dropped.empty()) {
    section.body = "<p>No quantity of the program was dropped.</p>\n";
  } else {
    section.body = "<p>These quantities of the program are not in the draws.</p>\n" +
                   bullet_list(content.run.dropped);
  }
  section.body +=
      "<p>A row with a cell that cannot be used contributes nothing to a private fit. The exact "
      "number of such rows is not published; <code>dpvi inspect</code> tells the curator.</p>\n";
  return section;
}

PageSection loading_section(const ReportContent& content) {
  // The variational form of Stan CSV begins with the location, which is not a draw.
  const bool has_location = !content.bundle.draws.at_location.empty();
  const std::size_t chains = content.bundle.draws.chains;
  const std::string r = fmt::format(
      "draws <- read.csv(\"draws.csv\", comment.char = \"#\"){}\n"
      "summary(draws)\n\n"
      "# with the package posterior\n"
      "{}posterior::summarise_draws(posterior::as_draws_df(draws))\n",
      has_location ? "[-1, ]  # the first row is the location, not a draw" : "",
      chains > 0 ? fmt::format("draws$.chain <- rep(1:{0}, each = nrow(draws) / {0})\n", chains)
                 : "");
  const std::string python = fmt::format(
      "import pandas\n"
      "draws = pandas.read_csv(\"draws.csv\", comment=\"#\"){}\n"
      "print(draws.describe())\n\n"
      "# with ArviZ\n"
      "import arviz\n"
      "posterior = arviz.from_netcdf(\"posterior.nc\")\n"
      "print(arviz.summary(posterior, kind=\"stats\"))\n",
      has_location ? ".iloc[1:]  # the first row is the location" : "");
  PageSection section{"loading", "Load the draws", ""};
  section.body = fmt::format(
      "<p>The draws contain {}. {} Run the code in the folder of the bundle.</p>\n",
      draws_lack_noise(content.bundle)
          ? "the uncertainty of the model only, without the privacy noise"
      : content.bundle.stamp.is_private ? "model and privacy uncertainty"
                                        : "the uncertainty of the model",
      content.bundle.draws.chains > 0
          ? "They are Markov chains, one after another."
          : "They are independent: R-hat and ESS computed from them do not test the fit.");
  section.body +=
      code_block("R", r) + code_block("Python", python) +
      code_block("R, with the package dpvi", "fit <- dpvi::dpvi_load(\".\")\nsummary(fit)\n") +
      code_block("Python, with the package dpvi",
                 "import dpvi\nfit = dpvi.load(\".\")\nprint(fit.summary())\n") +
      code_block("dpvi", "dpvi summary .\ndpvi predict . NEW.csv\n");
  return section;
}

PageSection citation_section(const ReportContent& content) {
  PageSection section{"citation", "How to cite", ""};
  section.body =
      text_block("This result", this_result(content) + "\n") +
      fmt::format("<p>{}: {}</p>\n",
                  content.run.posterior == "trace"
                      ? "The posterior was inferred from noisy measurements of gradients "
                        "(docs/uncertainty.md of dpvi), which are released as in"
                      : "The method",
                  escaped_markup(kPaper)) +
      code_block("BibTeX", kBibtex);
  return section;
}

}  // namespace dpvi
