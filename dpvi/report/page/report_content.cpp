#include <dpvi/report/page/report_content.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {
namespace {

bool has_value(const JsonFile& file, const char* pointer) {
  return file.has(pointer) && !file.at(pointer).is_null();
}

std::string text_if_any(const JsonFile& file, const char* pointer) {
  return has_value(file, pointer) ? file.text(pointer) : "";
}

std::optional<double> number_if_any(const JsonFile& file, const char* pointer) {
  return has_value(file, pointer) ? std::optional(file.number(pointer)) : std::nullopt;
}

std::vector<std::string> texts_if_any(const JsonFile& file, const char* pointer) {
  return has_value(file, pointer) ? file.texts(pointer) : std::vector<std::string>{};
}

std::vector<double> numbers_if_any(const JsonFile& file, const char* pointer) {
  return has_value(file, pointer) ? file.numbers(pointer) : std::vector<double>{};
}

ReportStatement read_statement(const JsonFile& file) {
  ReportStatement statement{
      .unit = text_if_any(file, "/unit"),
      .accountant = text_if_any(file, "/accountant"),
      .sampler = text_if_any(file, "/sampler"),
      .noise = text_if_any(file, "/noise"),
      .protects = text_if_any(file, "/protects"),
      .tuning = text_if_any(file, "/tuning"),
      .counting = text_if_any(file, "/counting"),
      .epsilon_other_adjacency = number_if_any(file, "/epsilon_other_adjacency"),
      .epsilon_lower = number_if_any(file, "/epsilon_lower"),
      .phases = {},
      .public_facts = texts_if_any(file, "/public_facts"),
      .assumptions = texts_if_any(file, "/assumptions"),
      .not_protected = texts_if_any(file, "/not_protected"),
      .study = {},
      .groups = {}};
  for (const StudyField& field : kStudyFields) {
    statement.study.*field.value = text_if_any(file, ("/study/" + std::string(field.key)).c_str());
  }
  if (has_value(file, "/groups") && file.at("/groups").is_array()) {
    for (std::size_t i = 0; i < file.at("/groups").size(); ++i) {
      const std::string group = "/groups/" + std::to_string(i);
      statement.groups.push_back(
          {file.number((group + "/records").c_str()), file.number((group + "/epsilon").c_str())});
    }
  }
  if (!has_value(file, "/phases") || !file.at("/phases").is_array()) return statement;
  for (std::size_t i = 0; i < file.at("/phases").size(); ++i) {
    const std::string phase = "/phases/" + std::to_string(i);
    statement.phases.push_back({file.number((phase + "/sampling_rate").c_str()),
                                file.number((phase + "/noise_multiplier").c_str()),
                                file.number((phase + "/steps").c_str())});
  }
  return statement;
}

IndexNamesByVariable read_index_names(const JsonFile& file) {
  constexpr const char* kPlace = "/inputs/index_names";
  IndexNamesByVariable result;
  if (!has_value(file, kPlace)) return result;
  const auto& members = file.at(kPlace);
  if (!members.is_object()) file.refuse(kPlace, "is not an object");
  for (const auto& [variable, dimensions] : members.items()) {
    if (!dimensions.is_array()) file.refuse(kPlace, "has a variable without lists");
    for (const auto& names : dimensions) {
      result[variable].push_back(file.texts_in(names, kPlace));
    }
  }
  return result;
}

ReportRun read_run(const JsonFile& file) {
  return {.model = text_if_any(file, "/model"),
          .started_at = text_if_any(file, "/started_at"),
          .version = text_if_any(file, "/versions/dpvi"),
          .model_sha256 = text_if_any(file, "/sha256/model"),
          .posterior = text_if_any(file, "/configuration/posterior"),
          .averaged_share = number_if_any(file, "/configuration/averaged_share"),
          .dropped = texts_if_any(file, "/dropped_quantities"),
          .index_names = read_index_names(file)};
}

std::optional<ReportPath> read_path(const JsonFile& file, std::size_t dimension) {
  ReportPath path{{}, numbers_if_any(file, "/trace/path/steps"), {}};
  if (path.steps.empty()) return std::nullopt;
  for (const double place : numbers_if_any(file, "/trace/path/parameters")) {
    if (!(place >= 0.0 && place < static_cast<double>(dimension))) {
      file.refuse("/trace/path/parameters", "has a place that no parameter has");
    }
    path.parameters.push_back(static_cast<std::size_t>(place));
  }
  if (path.parameters.empty()) {
    path.parameters.resize(dimension);
    std::iota(path.parameters.begin(), path.parameters.end(), std::size_t{0});
  }
  const auto& rows = file.at("/trace/path/locations");
  if (!rows.is_array() || rows.size() != path.steps.size()) {
    file.refuse("/trace/path/locations", "differs from steps in size");
  }
  for (const auto& row : rows) {
    path.locations.push_back(file.numbers_in(row, "/trace/path/locations"));
    if (path.locations.back().size() != path.parameters.size()) {
      file.refuse("/trace/path/locations", "has rows of unequal sizes");
    }
  }
  return path;
}

std::optional<ReportForecast> read_forecast(const JsonFile& file, std::size_t dimension) {
  ReportForecast forecast{numbers_if_any(file, "/forecast/noise_sd"),
                          numbers_if_any(file, "/trace/mean_sd")};
  const bool whole =
      forecast.noise_sd.size() == dimension && forecast.obtained_sd.size() == dimension;
  return whole ? std::optional(std::move(forecast)) : std::nullopt;
}

std::map<std::string, ReportCurve> read_priors(const JsonFile& file) {
  std::map<std::string, ReportCurve> priors;
  if (!has_value(file, "/priors")) return priors;
  const auto& members = file.at("/priors");
  if (!members.is_object()) file.refuse("/priors", "is not an object");
  for (const auto& [name, curve] : members.items()) {
    if (!curve.is_object() || !curve.contains("value") || !curve.contains("density")) {
      file.refuse("/priors", "has a curve without values or densities");
    }
    ReportCurve read{file.numbers_in(curve["value"], "/priors"),
                     file.numbers_in(curve["density"], "/priors")};
    if (read.value.size() != read.density.size()) {
      file.refuse("/priors", "has a curve with lists of unequal sizes");
    }
    priors[bracketed_name(name)] = std::move(read);
  }
  return priors;
}

// The variable of a name of either kind.
std::string_view variable_of(std::string_view name) {
  return name.substr(0, name.find_first_of("[."));
}

}  // namespace

std::string ReportContent::coordinate_name(const std::string& column) const {
  const std::string_view variable = variable_of(column);
  const auto same = [&](std::string_view name) { return variable_of(name) == variable; };
  const auto coordinates = std::ranges::count_if(bundle.posterior.unconstrained_names, same);
  const auto numbers = std::ranges::count_if(outputs, same, &OutputSummary::name);
  if (coordinates == numbers || variable.size() == column.size()) {
    return shown_name(bracketed_name(column));
  }
  std::string place(column.substr(variable.size() + 1));
  std::ranges::replace(place, '.', ',');
  return std::string(variable) + ", coordinate " + place;
}

ReportContent read_report_content(const BundleTexts& texts) {
  Bundle bundle = read_bundle(texts);
  std::vector<OutputSummary> outputs = output_summaries(bundle);
  ReportContent content{.bundle = std::move(bundle),
                        .outputs = std::move(outputs),
                        .statement = {},
                        .run = {},
                        .path = {},
                        .forecast = {},
                        .residuals = {},
                        .priors = {},
                        .model_text = texts.has("model.stan") ? texts.text("model.stan") : "",
                        .schema_text = texts.has("schema.toml") ? texts.text("schema.toml") : ""};
  content.statement = read_statement({texts.path("statement.json"), texts.text("statement.json")});
  if (texts.has("run.json")) {
    content.run = read_run({texts.path("run.json"), texts.text("run.json")});
  }
  const JsonFile posterior(texts.path("posterior.json"), texts.text("posterior.json"));
  const std::size_t dimension = content.bundle.posterior.unconstrained_names.size();
  content.path = read_path(posterior, dimension);
  content.forecast = read_forecast(posterior, dimension);
  content.priors = read_priors(posterior);
  if (posterior.has("/evidence/measured/residual_square")) {
    content.residuals = {posterior.number("/evidence/measured/residual_square"),
                         posterior.number("/evidence/measured/residuals")};
  }
  return content;
}

}  // namespace dpvi
