#include <algorithm>
#include <cmath>
#include <memory>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/formula_program.hpp>
#include <dpvi/api/inspected_table.hpp>
#include <dpvi/api/planned_fit.hpp>
#include <dpvi/api/program_schema.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/data/schema_draft.hpp>
#include <dpvi/fit/check/model_check.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

#include "bindings.hpp"

namespace dpvi::python {
namespace {

std::string part(const ModelDescription& model, const char* name) {
  const auto found = model.parts.find(name);
  return found == model.parts.end() ? std::string() : found->second;
}

ProgramSource source_of(const ModelDescription& model) {
  ProgramSource source;
  source.model_file = part(model, "file");
  if (model.parts.contains("text")) source.model_text = part(model, "text");
  source.schema_file = part(model, "schema_file");
  if (model.parts.contains("schema_text")) {
    source.schema_text = part(model, "schema_text");
    if (source.schema_file.empty()) source.schema_file = "schema";
  }
  source.record_count = part(model, "records");
  source.title = part(model, "title");
  source.one_row_per_person = model.parts.contains("one_row_per_person");
  source.public_file = part(model, "public_file");
  for (const auto& [name, value_of_caller] : model.public_data) {
    const auto& [sizes, numbers] = value_of_caller;
    PublicValue value;
    value.integers =
        std::ranges::all_of(numbers, [](double number) { return number == std::floor(number); });
    value.dimensions = sizes;
    value.numbers = numbers;
    value.source = "public";
    add_public_value(source.public_data, name, value);
  }
  return source;
}

nb::list findings_of(const ModelCheck& check) {
  static constexpr const char* kWords[] = {"error", "warning", "note"};
  nb::list findings;
  for (const CheckFinding& finding : check.findings) {
    nb::dict one;
    one["severity"] = kWords[static_cast<int>(finding.severity)];
    one["code"] = std::string(finding.code.id);
    one["file"] = finding.place.file;
    one["line"] = finding.place.line;
    one["column"] = finding.place.column;
    one["message"] = finding.message;
    one["hint"] = finding.hint;
    findings.append(one);
  }
  return findings;
}

nb::dict check_of(const ModelDescription& model) {
  const ProgramInputs inputs = inputs_of(model);
  const ModelCheck check =
      check_model({inputs.program, inputs.record_count, inputs.schema, inputs.public_data});
  nb::list parameters, records, publics, missing;
  for (const ParameterSummary& parameter : check.parameters) {
    nb::dict one;
    one["name"] = parameter.name;
    one["type"] = parameter.type;
    one["size"] = parameter.size;
    one["unconstrained"] = parameter.unconstrained;
    parameters.append(one);
  }
  for (const RecordDataSummary& data : check.record_data) records.append(data.name);
  for (const PublicDataSummary& data : check.public_data) {
    publics.append(data.name);
    if (data.value.empty()) missing.append(data.name);
  }
  nb::dict result;
  result["ok"] = check.ok();
  result["model"] = check.file;
  result["parameters"] = parameters;
  result["unconstrained_dim"] = check.unconstrained_dim;
  result["record_data"] = records;
  result["public_data"] = publics;
  result["public_data_missing"] = missing;
  result["local_latents"] = check.local_latents;
  result["factorises"] = check.factorises;
  result["generated"] = check.generated.kept;
  result["findings"] = findings_of(check);
  return result;
}

nb::dict report_of(const AccountantReport& report) {
  nb::dict result;
  result["epsilon"] = report.epsilon_ends ? report.epsilon_ends->upper : report.epsilon;
  if (report.epsilon_ends) result["epsilon_lower"] = report.epsilon_ends->lower;
  if (report.order) result["order"] = *report.order;
  return result;
}

nb::dict privacy_of(const PrivacyPlan& plan) {
  nb::list phases;
  for (const GaussianPhase& phase : plan.run) {
    nb::dict one;
    one["sampling_rate"] = phase.sampling_rate;
    one["noise_multiplier"] = phase.noise_multiplier;
    one["steps"] = phase.steps;
    phases.append(one);
  }
  nb::dict accountants, reasons;
  for (const auto& [accountant, report] : plan.accountants) {
    accountants[std::string(name_of(accountant)).c_str()] = report_of(report);
  }
  for (const auto& [accountant, reason] : plan.reasons) {
    reasons[std::string(name_of(accountant)).c_str()] = reason;
  }
  static constexpr const char* kSolved[] = {"epsilon", "delta", "noise_multiplier", "steps"};
  nb::dict result;
  result["solved_for"] = kSolved[static_cast<int>(plan.solved_for)];
  result["epsilon"] = plan.epsilon;
  result["delta"] = plan.delta;
  result["adjacency"] = std::string(name_of(plan.adjacency));
  result["accountant"] = std::string(name_of(plan.solver));
  result["epsilon_substitute"] = plan.epsilon_substitute;
  result["epsilon_add_remove"] = plan.epsilon_add_remove;
  result["phases"] = phases;
  result["accountants"] = accountants;
  result["reasons"] = reasons;
  return result;
}

nb::dict plan_of(const std::optional<ModelDescription>& model, const SettingTexts& texts) {
  if (!model) return privacy_of(plan_privacy(privacy_request(texts)));
  refuse_contradictions(texts);
  const PlannedFit planned = plan_fit(program_of(*model), fit_request(texts));
  nb::dict result = privacy_of(planned.privacy());
  if (const auto forecast = planned.forecast()) {
    nb::dict numbers;
    numbers["parameter"] = planned.model().unconstrained_names();
    numbers["noise_sd"] = forecast->noise_sd;
    numbers["clip_shift"] = forecast->clip_shift;
    numbers["posterior_sd"] = forecast->posterior_sd;
    numbers["prior_sd"] = forecast->prior_sd;
    result["forecast"] = numbers;
  }
  return result;
}

std::string template_of(const nb::object& rows) {
  return schema_template(TableOfPython(rows).typed_names());
}

nb::dict inspection_of(const InspectedTable& table) {
  nb::dict result;
  result["rows"] = table.found.rows;
  result["rows_of_zero"] = table.found.rows_of_zero;
  nb::list columns;
  for (const ColumnInspection& column : table.found.columns) {
    nb::dict one;
    one["column"] = column.name;
    one["usable"] = column.usable;
    one["clamped"] = column.clamped;
    one["replaced"] = column.replaced;
    one["missing"] = column.missing;
    one["unlisted"] = column.unlisted;
    one["unparsable"] = column.unparsable;
    one["out_of_range"] = column.out_of_range;
    one["minimum"] = column.minimum;
    one["mean"] = column.mean;
    one["sd"] = column.sd;
    one["maximum"] = column.maximum;
    columns.append(one);
  }
  result["columns"] = columns;
  return result;
}

}  // namespace

ProgramInputs inputs_of(const ModelDescription& model) {
  const ProgramSource source = source_of(model);
  if (!model.parts.contains("formula")) return read_program_inputs(source);
  return formula_program_inputs(
      {part(model, "formula"), part(model, "family"), part(model, "link")}, source);
}

Program program_of(const ModelDescription& model) { return Program(inputs_of(model)); }

SettingTexts settings_of(std::map<std::string, std::string> values,
                         std::vector<std::string> phases) {
  SettingTexts texts;
  texts.spelling = SettingTexts::Spelling::arguments;
  for (auto& [name, value] : values) texts.values.emplace(name, std::move(value));
  texts.phases = std::move(phases);
  refuse_unknown_settings(texts);
  return texts;
}

void bind_models(nb::module_& module) {
  nb::class_<ModelDescription>(module, "ModelDescription")
      .def("__init__", [](ModelDescription* self, ModelParts parts, PublicNumbersByName numbers) {
        new (self) ModelDescription{std::move(parts), std::move(numbers)};
      });
  module.def("check", &check_of);
  module.def("program_text", [](const ModelDescription& model) { return inputs_of(model).text; });
  module.def(
      "plan",
      [](const std::optional<ModelDescription>& model, std::map<std::string, std::string> values,
         std::vector<std::string> phases) {
        return plan_of(model, settings_of(std::move(values), std::move(phases)));
      },
      nb::arg("model").none(), nb::arg("settings"), nb::arg("phases"));
  module.def("settings", [] {
    nb::list settings;
    for (const Setting& setting : all_settings()) {
      settings.append(nb::make_tuple(setting.name, setting.default_text, setting.meaning));
    }
    return settings;
  });
  module.def("schema_template", &template_of);
  module.def("check_schema", [](const std::string& text, const std::string& file) {
    static_cast<void>(parse_schema(text, file));
  });
  module.def("inspect", [](const std::string& schema_text, const std::string& schema_file,
                           const nb::object& rows) {
    const TableOfPython holder(rows);
    const Schema schema = parse_schema(schema_text, schema_file);
    return inspection_of(inspect_table(schema, record_count_name(schema, ""), holder.table()));
  });
}

}  // namespace dpvi::python
