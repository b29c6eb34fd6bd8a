#include "arguments.h"
#include "failure.h"

#include <cmath>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/program_schema.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/data/schema_draft.hpp>
#include <dpvi/fit/check/model_check.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

using namespace cpp11::literals;

namespace {

double number_or_na(const std::optional<std::int64_t>& number) {
  return number ? static_cast<double>(*number) : NA_REAL;
}

cpp11::list findings_of(const dpvi::ModelCheck& check) {
  static constexpr const char* kWords[] = {"error", "warning", "note"};
  cpp11::writable::strings severity, code, message, file;
  cpp11::writable::integers line;
  for (const dpvi::CheckFinding& finding : check.findings) {
    severity.push_back(kWords[static_cast<int>(finding.severity)]);
    code.push_back(std::string(finding.code.id));
    message.push_back(finding.message + (finding.hint.empty() ? "" : " " + finding.hint));
    file.push_back(finding.place.file);
    line.push_back(finding.place.line > 0 ? finding.place.line : NA_INTEGER);
  }
  return cpp11::writable::list({"severity"_nm = severity, "code"_nm = code, "file"_nm = file,
                                "line"_nm = line, "message"_nm = message});
}

cpp11::list parameters_of(const dpvi::ModelCheck& check) {
  cpp11::writable::strings name, type;
  cpp11::writable::doubles size, unconstrained;
  for (const dpvi::ParameterSummary& parameter : check.parameters) {
    name.push_back(parameter.name);
    type.push_back(parameter.type);
    size.push_back(number_or_na(parameter.size));
    unconstrained.push_back(number_or_na(parameter.unconstrained));
  }
  return cpp11::writable::list(
      {"name"_nm = name, "type"_nm = type, "size"_nm = size, "unconstrained"_nm = unconstrained});
}

cpp11::list phases_of(const dpvi::GaussianRun& run) {
  cpp11::writable::doubles rate, noise, steps;
  for (const dpvi::GaussianPhase& phase : run) {
    rate.push_back(phase.sampling_rate);
    noise.push_back(phase.noise_multiplier);
    steps.push_back(static_cast<double>(phase.steps));
  }
  return cpp11::writable::list(
      {"sampling_rate"_nm = rate, "noise_multiplier"_nm = noise, "steps"_nm = steps});
}

cpp11::list accountants_of(const dpvi::PrivacyPlan& plan) {
  cpp11::writable::strings name;
  cpp11::writable::doubles epsilon;
  for (const auto& [accountant, report] : plan.accountants) {
    name.push_back(std::string(dpvi::name_of(accountant)));
    epsilon.push_back(report.epsilon_ends ? report.epsilon_ends->upper : report.epsilon);
  }
  return cpp11::writable::list({"accountant"_nm = name, "epsilon"_nm = epsilon});
}

cpp11::writable::list privacy_of(const dpvi::PrivacyPlan& plan) {
  return cpp11::writable::list({"epsilon"_nm = plan.epsilon, "delta"_nm = plan.delta,
                                "adjacency"_nm = std::string(dpvi::name_of(plan.adjacency)),
                                "epsilon_substitute"_nm = plan.epsilon_substitute,
                                "epsilon_add_remove"_nm = plan.epsilon_add_remove,
                                "phases"_nm = phases_of(plan.run),
                                "accountants"_nm = accountants_of(plan)});
}

cpp11::list forecast_of(const dpvi::PlannedFit& planned, const dpvi::NoiseForecast& forecast) {
  return cpp11::writable::list(
      {"parameter"_nm = planned.model().unconstrained_names(), "noise_sd"_nm = forecast.noise_sd,
       "clip_shift"_nm = forecast.clip_shift, "posterior_sd"_nm = forecast.posterior_sd,
       "prior_sd"_nm = forecast.prior_sd});
}

}  // namespace

[[cpp11::register]] SEXP lib_check(cpp11::list model) {
  return guarded([&]() -> SEXP {
    const dpvi::ProgramInputs inputs = model_inputs(model);
    const dpvi::ModelCheck check =
        dpvi::check_model({inputs.program, inputs.record_count, inputs.schema, inputs.public_data});
    cpp11::writable::strings records, publics, missing;
    for (const dpvi::RecordDataSummary& data : check.record_data) records.push_back(data.name);
    for (const dpvi::PublicDataSummary& data : check.public_data) {
      publics.push_back(data.name);
      if (data.value.empty()) missing.push_back(data.name);
    }
    return cpp11::writable::list(
        {"ok"_nm = check.ok(), "model"_nm = check.file, "program"_nm = inputs.text,
         "parameters"_nm = parameters_of(check), "record_data"_nm = records,
         "public_data"_nm = publics, "public_data_missing"_nm = missing,
         "local_latents"_nm = check.local_latents, "generated"_nm = check.generated.kept,
         "findings"_nm = findings_of(check)});
  });
}

[[cpp11::register]] SEXP lib_plan_privacy(cpp11::list settings) {
  return guarded([&]() -> SEXP {
    return privacy_of(dpvi::plan_privacy(dpvi::privacy_request(setting_texts(settings))));
  });
}

[[cpp11::register]] SEXP lib_plan_fit(cpp11::list model, cpp11::list settings) {
  return guarded([&]() -> SEXP {
    const dpvi::SettingTexts texts = setting_texts(settings);
    dpvi::refuse_contradictions(texts);
    const dpvi::PlannedFit planned = dpvi::plan_fit(model_program(model), dpvi::fit_request(texts));
    cpp11::writable::list plan = privacy_of(planned.privacy());
    if (const auto forecast = planned.forecast()) {
      plan.push_back("forecast"_nm = forecast_of(planned, *forecast));
    }
    return plan;
  });
}

// Types that the schema declares, by column: "real", "int" or "category".
[[cpp11::register]] SEXP lib_declared_types(cpp11::list model) {
  return guarded([&]() -> SEXP {
    cpp11::writable::strings names, types;
    for (const dpvi::ColumnSchema& column : model_schema(model).columns) {
      names.push_back(column.name);
      types.push_back(column.type == dpvi::ColumnType::category  ? "category"
                      : column.type == dpvi::ColumnType::integer ? "int"
                                                                 : "real");
    }
    if (types.size() > 0) types.names() = names;
    return types;
  });
}

// Of the columns of a data frame: names, types and notes.
[[cpp11::register]] SEXP lib_schema_template(cpp11::strings names, cpp11::strings types,
                                             cpp11::strings notes) {
  return guarded([&]() -> SEXP {
    std::vector<dpvi::TypedName> columns;
    for (R_xlen_t i = 0; i < names.size(); ++i) {
      const std::string type = types[i];
      columns.push_back({.name = names[i],
                         .type = type == "category"                   ? dpvi::ColumnType::category
                                 : type == "int" || type == "logical" ? dpvi::ColumnType::integer
                                                                      : dpvi::ColumnType::real,
                         .is_logical = type == "logical",
                         .note = notes[i]});
    }
    return cpp11::writable::strings({dpvi::schema_template(columns)});
  });
}

// Of the columns that a program needs.
[[cpp11::register]] SEXP lib_schema_draft(cpp11::list model, cpp11::strings header) {
  return guarded([&]() -> SEXP {
    const dpvi::Program program = model_program(model);
    dpvi::BindingRequest request = program.binding_request();
    if (header.size() > 0) {
      request.table_file = "data frame";
      request.header = std::vector<std::string>(header.begin(), header.end());
    }
    const dpvi::SchemaDraft draft = dpvi::draft_schema(
        request, dpvi::requested_facts(program.inputs().program.program, program.data()),
        dpvi::HeaderNames::all);
    return cpp11::writable::strings({draft.toml});
  });
}

[[cpp11::register]] cpp11::list lib_settings() {
  static constexpr const char* kEffects[] = {"guarantee", "accuracy", "execution"};
  cpp11::writable::strings name, by_default, meaning, effect;
  for (const dpvi::Setting& setting : dpvi::all_settings()) {
    name.push_back(setting.name);
    by_default.push_back(setting.default_text);
    meaning.push_back(setting.meaning);
    effect.push_back(kEffects[static_cast<int>(setting.effect)]);
  }
  return cpp11::writable::list(
      {"name"_nm = name, "default"_nm = by_default, "meaning"_nm = meaning, "effect"_nm = effect});
}

// The program of a formula.
[[cpp11::register]] SEXP lib_formula(cpp11::list model) {
  return guarded([&]() -> SEXP { return cpp11::writable::strings({model_inputs(model).text}); });
}
