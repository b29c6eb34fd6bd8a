#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/prove/factorisation.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

// The stages from a program's text to a model, with everything that a test inspects.
struct ReadModel {
  explicit ReadModel(std::string text, StanModelOptions model_options = {})
      : checked(read_stan_program("m.stan", std::move(text), stan_functions())),
        options(std::move(model_options)) {
    if (!checked.findings.has_errors()) {
      data = describe_data_block(checked.program, options.record_count, checked.findings);
    }
  }

  StanModel build() {
    throw_if_errors(checked.findings, checked.source);
    return build_stan_model(checked, data, stan_functions(), options);
  }

  std::optional<bool> factorises() {
    throw_if_errors(checked.findings, checked.source);
    return test_factorisation(checked, data, stan_functions(), options, checked.findings);
  }

  CheckedProgram checked;
  StanModelOptions options;
  DataBlock data;
};

// "line:column message hint" of the first error in reading, building or testing, or "none".
inline std::string first_error(const std::string& text, StanModelOptions options = {}) {
  ReadModel read(text, std::move(options));
  try {
    read.build();
    read.factorises();
    throw_if_errors(read.checked.findings, read.checked.source);
  } catch (const InputError& error) {
    return std::to_string(error.place().line) + ":" + std::to_string(error.place().column) + " " +
           error.message() + (error.hint().empty() ? "" : " " + error.hint());
  }
  return "none";
}

inline KnownValue known_scalar(double number) { return {{}, {number}}; }
inline KnownValue known_list(const std::vector<double>& numbers) {
  return {{static_cast<std::int64_t>(numbers.size())}, numbers};
}

inline double number_of(const nlohmann::json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == "Inf") return infinity;
  return text == "-Inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

inline void flatten(const nlohmann::json& json, std::vector<double>& numbers) {
  if (!json.is_array()) {
    numbers.push_back(number_of(json));
    return;
  }
  for (const auto& part : json) flatten(part, numbers);
}

inline KnownValue known_from(const nlohmann::json& json) {
  KnownValue value;
  for (const nlohmann::json* level = &json; level->is_array(); level = &level->front()) {
    value.sizes.push_back(static_cast<std::int64_t>(level->size()));
    if (level->empty()) break;
  }
  flatten(json, value.numbers);
  return value;
}

struct RecordNumbers {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  RecordValues values() const { return {reals, integers}; }
};

// Record i of Stan JSON data, in the model's columns.
inline RecordNumbers record_from(const StanModel& model, const nlohmann::json& data,
                                 std::size_t i) {
  RecordNumbers record;
  for (const RecordVariable& columns : model.record_variables) {
    std::vector<double> numbers;
    flatten(data.at(columns.variable->declaration->name).at(i), numbers);
    for (const double number : numbers) {
      if (columns.integer) {
        record.integers.push_back(static_cast<std::int32_t>(number));
      } else {
        record.reals.push_back(number);
      }
    }
  }
  return record;
}

}  // namespace dpvi
