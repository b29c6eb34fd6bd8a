#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/eval/draw_summary.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/column_names.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/statement.hpp>

#include "command.hpp"
#include "json.hpp"

namespace dpvi::cli {
namespace {

// Summary of one column of the draws.
struct NamedSummary {
  std::string name;
  DrawSummary draws;
  // Standard deviation of the mean due to privacy noise, record sampling and the draws in each
  // step.
  double privacy_sd;
};

std::vector<NamedSummary> summaries(const Bundle& bundle) {
  const StanDraws& draws = bundle.draws;
  std::vector<NamedSummary> result;
  std::vector<double> column(draws.draws.size());
  for (std::size_t i = 0; i < draws.columns.size(); ++i) {
    std::transform(draws.draws.begin(), draws.draws.end(), column.begin(),
                   [i](const std::vector<double>& draw) { return draw[i]; });
    result.push_back(
        {bracketed_name(draws.columns[i]), summarise_draws(column), bundle.posterior.output_sd[i]});
  }
  return result;
}

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
  document["status"] = bundle.posterior.status;
  document["r_hat"] = number_json(largest(bundle.posterior.r_hat));
  document["effective_size"] = number_json(smallest(bundle.posterior.effective_sample_size));
  document["variables"] = Json::object();
  for (const auto& [name, summary, privacy_sd] : summaries(bundle)) {
    document["variables"][name] = {
        {"mean", number_json(summary.mean)},    {"sd", number_json(summary.sd)},
        {"q5", number_json(summary.q5)},        {"median", number_json(summary.median)},
        {"q95", number_json(summary.q95)},      {"sd_model", number_json(summary.sd)},
        {"sd_privacy", number_json(privacy_sd)}};
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string stamp_line(const PrivacyStamp& stamp) {
  if (!stamp.is_private) return std::string(kNotPrivateNotice);
  return fmt::format("Private: epsilon {}, delta {}, adjacency {}", rounded_up(*stamp.epsilon),
                     rounded_up(*stamp.delta), stamp.adjacency);
}

std::string status_text(const Posterior& posterior) {
  if (posterior.status == "diverged") {
    return "the fit DIVERGED: its numbers are meaningless. Try a smaller --learning-rate.";
  }
  if (posterior.status == "unknown") {
    return "unknown: too few iterates to tell whether the fit had converged.";
  }
  std::string text = fmt::format(
      "{}: R-hat of the iterates at most {:.2f}, effective sample size {:.0f}", posterior.status,
      largest(posterior.r_hat), smallest(posterior.effective_sample_size));
  if (posterior.status == "drifting") text += ". Try more --steps or a larger --learning-rate";
  return text;
}

std::string summary_text(const Bundle& bundle) {
  const std::vector<NamedSummary> rows = summaries(bundle);
  std::size_t width = 4;
  for (const NamedSummary& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("{}\n{} draws; {}\n\n", stamp_line(bundle.stamp),
                                 bundle.draws.draws.size(), status_text(bundle.posterior));
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<{}} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "", width, "mean", "sd",
                 "5%", "median", "95%", "sd privacy");
  for (const auto& [name, summary, privacy_sd] : rows) {
    fmt::format_to(out, "{:<{}}", name, width);
    for (const double value :
         {summary.mean, summary.sd, summary.q5, summary.median, summary.q95, privacy_sd}) {
      fmt::format_to(out, " {:>10}", std::isnan(value) ? "-" : number_text(value, 4));
    }
    fmt::format_to(out, "\n");
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
    return json ? summary_json(bundle) : summary_text(bundle);
  }

 private:
  std::string bundle_;
};

}  // namespace

std::unique_ptr<Command> make_summary_command() { return std::make_unique<SummaryCommand>(); }

}  // namespace dpvi::cli
