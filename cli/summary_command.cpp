#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/output_summary.hpp>
#include <dpvi/report/statement.hpp>
#include <dpvi/sample/mcmc_diagnostics.hpp>

#include "bundle_note.hpp"
#include "command.hpp"
#include "console.hpp"
#include "json.hpp"

namespace dpvi::cli {
namespace {

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(exact_text(value));
}

// Returns NaN if any value is NaN.
double largest(const std::vector<double>& values) {
  double result = -std::numeric_limits<double>::infinity();
  for (const double value : values) result = std::isnan(value) || value > result ? value : result;
  return result;
}

double smallest(std::vector<double> values) {
  for (double& value : values) value = -value;
  return -largest(values);
}

std::string summary_json(const Bundle& bundle) {
  const PrivacyStamp& stamp = bundle.stamp;
  Json document = {{"ok", true}, {"private", stamp.is_private}};
  document["epsilon"] = stamp.is_private ? Json(*stamp.epsilon) : Json();
  document["delta"] = stamp.is_private ? Json(*stamp.delta) : Json();
  document["adjacency"] = stamp.is_private ? Json(stamp.adjacency) : Json();
  const Posterior& posterior = bundle.posterior;
  document["status"] = posterior.verdict ? Json(name_of(posterior.verdict->status)) : Json();
  document["reasons"] = Json::array();
  if (posterior.verdict) {
    for (const auto& [status, words, parameters] : posterior.verdict->reasons) {
      document["reasons"].push_back(
          {{"status", name_of(status)}, {"reason", words}, {"parameters", parameters}});
    }
  }
  if (!posterior.inference.empty()) {
    document["posterior"] = {{"kind", posterior.inference}, {"reason", posterior.inference_reason}};
  }
  document["optimisation"] = posterior.optimisation;
  document["r_hat"] = number_json(largest(bundle.posterior.r_hat));
  document["effective_size"] = number_json(smallest(bundle.posterior.effective_sample_size));
  if (bundle.draws.chains > 0) {
    document["chains"] = {{"chains", bundle.draws.chains},
                          {"draws_per_chain", bundle.draws.draws.size() / bundle.draws.chains},
                          {"divergences", number_json(posterior.divergences.value_or(NAN))},
                          {"saturations", number_json(posterior.saturations.value_or(NAN))}};
  }
  if (posterior.records) {
    document["usable_records"] = {{"estimate", number_json(*posterior.records)},
                                  {"sd", number_json(posterior.records_sd)}};
  }
  document["variables"] = Json::object();
  for (const auto& [name, summary, sd_model, sd_privacy, chains] : output_summaries(bundle)) {
    document["variables"][name] = {
        {"mean", number_json(summary.mean)},    {"sd", number_json(summary.sd)},
        {"q5", number_json(summary.q5)},        {"median", number_json(summary.median)},
        {"q95", number_json(summary.q95)},      {"sd_model", number_json(sd_model)},
        {"sd_privacy", number_json(sd_privacy)}};
    if (bundle.draws.chains == 0) continue;
    document["variables"][name].update({{"r_hat", number_json(chains.r_hat)},
                                        {"ess_bulk", number_json(chains.ess_bulk)},
                                        {"ess_tail", number_json(chains.ess_tail)},
                                        {"mcse_mean", number_json(chains.mcse_mean)}});
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string stamp_line(const PrivacyStamp& stamp) {
  if (!stamp.is_private) return std::string(kNotPrivateNotice);
  return fmt::format("Private: epsilon {}, delta {}, adjacency {}", rounded_up(*stamp.epsilon),
                     rounded_up(*stamp.delta), stamp.adjacency);
}

// A few of the names, and how many more there are.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

std::string status_text(const Bundle& bundle) {
  const Posterior& posterior = bundle.posterior;
  if (!posterior.verdict) return "Optimisation: " + posterior.optimisation + "\n";
  std::string text = fmt::format("Status: {}\n", name_of(posterior.verdict->status));
  for (const auto& [status, words, parameters] : posterior.verdict->reasons) {
    text += fmt::format("- {}: {}", name_of(status), words);
    text += parameters.empty() ? "\n" : fmt::format(": {}\n", some_of(parameters));
  }
  if (posterior.verdict->status == FitStatus::ok) return text;
  for (const std::string& sentence : advice_on(bundle)) text += sentence + "\n";
  return text;
}

std::string text_or_dash(double value) { return std::isnan(value) ? "-" : number_text(value, 4); }

std::string inference_text(const Posterior& posterior) {
  if (posterior.inference.empty()) return {};
  const std::string& reason = posterior.inference_reason;
  return fmt::format("Posterior: {}{}\n", posterior.inference,
                     reason.empty() ? "" : fmt::format(" ({})", reason));
}

// Whether the numbers of the table are those of the posterior that was sampled.
std::string draws_text(const Bundle& bundle) {
  const std::size_t draws = bundle.draws.draws.size(), chains = bundle.draws.chains;
  const Posterior& posterior = bundle.posterior;
  std::string text;
  if (posterior.records) {
    text = fmt::format("{:.0f} usable records, measured with a standard deviation of {:.0f}\n",
                       *posterior.records, posterior.records_sd);
  }
  if (chains == 0) return text + fmt::format("{} draws\n", draws);
  return text + fmt::format("{} chains of {} draws: {} divergences, {} trajectories cut off\n",
                            chains, draws / chains, posterior.divergences.value_or(NAN),
                            posterior.saturations.value_or(NAN));
}

std::string summary_text(const Bundle& bundle) {
  const std::vector<OutputSummary> rows = output_summaries(bundle);
  std::size_t width = 4;
  for (const OutputSummary& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("{}\n{}{}{}\n", stamp_line(bundle.stamp), status_text(bundle),
                                 inference_text(bundle.posterior), draws_text(bundle));
  const auto out = std::back_inserter(text);
  const bool sampled = bundle.draws.chains > 0;
  fmt::format_to(out, "{:<{}} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{}\n", "", width,
                 "mean", "sd", "5%", "median", "95%", "sd model", "sd privacy",
                 sampled ? fmt::format(" {:>7} {:>7}", "R-hat", "ESS") : "");
  for (const auto& [name, summary, sd_model, sd_privacy, chains] : rows) {
    fmt::format_to(out, "{:<{}}", name, width);
    for (const double value : {summary.mean, summary.sd, summary.q5, summary.median, summary.q95,
                               sd_model, sd_privacy}) {
      fmt::format_to(out, " {:>10}", text_or_dash(value));
    }
    if (sampled) {
      const double ess = std::min(chains.ess_bulk, chains.ess_tail);
      fmt::format_to(out, " {:>7} {:>7}", text_or_dash(chains.r_hat), text_or_dash(ess));
    }
    fmt::format_to(out, "\n");
  }
  if (draws_lack_noise(bundle)) {
    text +=
        "\nAn earlier version wrote this bundle: sd and quantiles above include the privacy noise, "
        "the draws in draws.csv do not.\n";
  }
  return text;
}

class SummaryCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description("Prints the posterior of a bundle: mean, sd and quantiles of every variable.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi summary results/logistic --json");
  }

  std::string run() override {
    const Bundle bundle = read_bundle(bundle_);
    if (!quiet) note_missing_manifest(bundle);
    return json ? summary_json(bundle) : printable(summary_text(bundle));
  }

 private:
  std::string bundle_;
};

}  // namespace

std::unique_ptr<Command> make_summary_command() { return std::make_unique<SummaryCommand>(); }

}  // namespace dpvi::cli
