#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>

#include "check_output.hpp"
#include "json.hpp"

namespace dpvi::cli {
namespace {

Json number_or_null(const std::optional<std::int64_t>& number) {
  return number ? Json(*number) : Json();
}

template <typename List>
Json names_of(const List& list) {
  Json names = Json::array();
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

Json parameters_json(const ModelCheck& check) {
  Json list = Json::array();
  for (const ParameterSummary& parameter : check.parameters) {
    list.push_back({{"name", parameter.name},
                    {"type", parameter.type},
                    {"size", number_or_null(parameter.size)},
                    {"unconstrained", number_or_null(parameter.unconstrained)}});
  }
  return list;
}

Json columns_json(const ModelCheck& check) {
  Json columns = Json::object();
  for (const RecordDataSummary& data : check.record_data) {
    columns[data.name] = data.columns.empty() ? Json() : Json(data.columns);
  }
  return columns;
}

Json missing_json(const ModelCheck& check) {
  Json names = Json::array();
  for (const PublicDataSummary& data : check.public_data) {
    if (data.value.empty()) names.push_back(data.name);
  }
  return names;
}

Json outputs_json(const BlockOutputs& outputs) {
  return {{"kept", outputs.kept}, {"dropped", names_of(outputs.dropped)}};
}

Json finding_json(const CheckFinding& finding) {
  static constexpr const char* kWords[] = {"error", "warning", "note"};
  const auto place = [](int number) { return number > 0 ? Json(number) : Json(); };
  return {
      {"severity", kWords[static_cast<int>(finding.severity)]},
      {"code", finding.code.id},
      {"file", finding.place.file},
      {"line", place(finding.place.line)},
      {"column", place(finding.place.column)},
      {"message", finding.hint.empty() ? finding.message : finding.message + " " + finding.hint}};
}

void write_number(std::back_insert_iterator<std::string> out, double number) {
  if (std::isfinite(number)) {
    fmt::format_to(out, "{}", number);
  } else {
    fmt::format_to(out, "\"{}\"", std::isnan(number) ? "NaN" : number > 0 ? "Inf" : "-Inf");
  }
}

void write_numbers(std::string& text, std::span<const double> numbers) {
  text += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    write_number(std::back_inserter(text), numbers[i]);
  }
  text += ']';
}

// Writes the members of a JSON object without braces.
void write_density(std::string& text, const DensityValue& density) {
  if (!density.error.empty()) {
    text +=
        "\"error\": " + Json(density.error).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  text += "\"lp\": ";
  write_number(std::back_inserter(text), density.lp);
  text += ", \"grad\": ";
  write_numbers(text, density.gradient);
}

}  // namespace

std::string points_json(const Points& points, PointEvaluator& evaluator) {
  std::string text = "[";
  for (std::size_t p = 0; p < points.size(); ++p) {
    const PointDensities point = evaluator.at(points[p]);
    text += p == 0 ? "\n    {\"theta\": " : ",\n    {\"theta\": ";
    write_numbers(text, points[p]);
    if (point.prior.error.empty()) {
      text += ",\n     \"prior\": {";
      write_density(text, point.prior);
      text += "},\n     \"records\": [";
      for (std::size_t i = 0; i < point.records.size(); ++i) {
        text += i == 0 ? "\n       {" : ",\n       {";
        write_density(text, point.records[i]);
        text += '}';
      }
      text += ']';
    }
    text += ",\n     ";
    write_density(text, point.total);
    text += '}';
  }
  return text + "]";
}

std::string check_json(const ModelCheck& check, const std::string& points) {
  Json document;
  document["ok"] = check.ok();
  document["model"] = check.file;
  document["parameters"] = parameters_json(check);
  document["unconstrained_dim"] = number_or_null(check.unconstrained_dim);
  document["record_data"] = names_of(check.record_data);
  document["columns"] = columns_json(check);
  document["public_data"] = names_of(check.public_data);
  document["public_data_missing"] = missing_json(check);
  document["local_latents"] = check.local_latents;
  document["factorises"] = check.factorises ? Json(*check.factorises) : Json();
  document["transformed"] = outputs_json(check.transformed);
  document["generated"] = outputs_json(check.generated);
  document["findings"] = Json::array();
  for (const CheckFinding& finding : check.findings) {
    document["findings"].push_back(finding_json(finding));
  }
  std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
  if (!points.empty()) {
    text.resize(text.rfind('\n'));
    text += ",\n  \"points\": " + points + "\n}";
  }
  return text + "\n";
}

}  // namespace dpvi::cli
