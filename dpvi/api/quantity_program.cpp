#include <dpvi/api/quantity_program.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

// The schema and the public values of the bundle, as far as the program declares their variables.
ProgramInputs inputs_beside(const OpenedBundle& opened, const ProgramSource& source) {
  const ProgramInputs& fitted = opened.bound.program.inputs();
  ProgramInputs inputs = read_program_inputs(source);
  inputs.schema_text = fitted.schema_text;
  inputs.record_count = source.record_count.empty() ? fitted.record_count : source.record_count;
  inputs.schema = fitted.schema;
  inputs.schema.bindings.clear();
  inputs.schema.public_values.clear();
  inputs.schema.tables.clear();  // a row of new data is a row of any table
  throw_if_errors(inputs.program.findings, inputs.program.source);
  Findings findings;
  const DataBlock block =
      describe_data_block(inputs.program.program, inputs.record_count, findings);
  throw_if_errors(findings, inputs.program.source);
  for (const DataVariable& variable : data_variables(block, inputs.file)) {
    if (variable.per_record) {
      const auto columns = fitted.schema.bindings.find(variable.name);
      if (columns != fitted.schema.bindings.end()) inputs.schema.bindings.insert(*columns);
      continue;
    }
    const auto value = opened.bound.binding.public_data.find(variable.name);
    if (value == opened.bound.binding.public_data.end()) continue;
    inputs.public_data.try_emplace(variable.name, value->second);
  }
  return inputs;
}

using Parameters = std::vector<ModelParameter>;

const ModelParameter* find_parameter(const Parameters& parameters, const std::string& name) {
  const auto found = std::ranges::find_if(
      parameters, [&](const ModelParameter& one) { return one.value.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

bool same_shape(const ModelParameter& one, const ModelParameter& other) {
  return one.transform == other.transform && one.free_size == other.free_size &&
         one.value.dims == other.value.dims;
}

// Values of a parameter's entries at theta.
std::vector<double> values_of(const RecordModel& model, const std::string& name,
                              const std::vector<double>& values) {
  std::vector<double> found;
  std::size_t at = 0;
  for (const OutputVariable& output : model.outputs()) {
    const auto size = static_cast<std::size_t>(output.size());
    if (output.name == name) {
      found.assign(values.begin() + static_cast<std::ptrdiff_t>(at),
                   values.begin() + static_cast<std::ptrdiff_t>(at + size));
    }
    at += size;
  }
  return found;
}

[[noreturn]] void refuse_parameters(const std::string& file,
                                    const std::vector<std::string>& differences) {
  throw InputError(kModelType,
                   fmt::format("the parameters differ from those of the bundle: {}.",
                               fmt::join(differences, "; ")),
                   "Copy the parameters block from the model.stan of the bundle.", {file, 0, 0});
}

// Compares names, types and sizes.
std::vector<std::string> differing_declarations(const Parameters& fitted, const Parameters& other) {
  std::vector<std::string> differences;
  for (const ModelParameter& parameter : fitted) {
    const ModelParameter* same = find_parameter(other, parameter.value.name);
    if (same == nullptr) {
      differences.push_back(fmt::format("'{}' is missing", parameter.value.name));
    } else if (!same_shape(parameter, *same)) {
      differences.push_back(fmt::format("'{}' is {} here and {} in the bundle",
                                        parameter.value.name, same->value.type_description,
                                        parameter.value.type_description));
    }
  }
  for (const ModelParameter& parameter : other) {
    if (find_parameter(fitted, parameter.value.name) == nullptr) {
      differences.push_back(fmt::format("the bundle has no '{}'", parameter.value.name));
    }
  }
  return differences;
}

std::vector<std::size_t> order_of(const Parameters& fitted, const Parameters& other) {
  std::vector<std::size_t> order;
  for (const ModelParameter& parameter : other) {
    const ModelParameter* same = find_parameter(fitted, parameter.value.name);
    for (std::int32_t i = 0; i < parameter.free_size; ++i) {
      order.push_back(static_cast<std::size_t>(same->first_free + i));
    }
  }
  return order;
}

// Bounds may be expressions. They agree if the constrained values agree at a few points.
std::vector<std::string> differing_bounds(const RecordModel& fitted, const QuantityProgram& other) {
  constexpr int kPoints = 3;
  constexpr double kTolerance = 1e-9;
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::sampling});
  std::vector<std::string> differences;
  for (int point = 0; point < kPoints; ++point) {
    std::vector<std::vector<double>> theta(1);
    for (std::size_t i = 0; i < fitted.dimension(); ++i) {
      theta[0].push_back(4.0 * unit_uniform(stream) - 2.0);
    }
    const std::vector<double> values = fitted.output_values(theta[0]);
    const std::vector<double> others = other.bound.model.output_values(other.points(theta).front());
    for (const ModelParameter& parameter : fitted.stan().parameters) {
      const std::string& name = parameter.value.name;
      const auto one = values_of(fitted, name, values);
      const auto two = values_of(other.bound.model, name, others);
      const bool same = std::ranges::equal(one, two, [&](double a, double b) {
        return std::abs(a - b) <= kTolerance * (1.0 + std::abs(a));
      });
      const std::string text = fmt::format("'{}' has other bounds", name);
      if (!same && std::ranges::find(differences, text) == differences.end()) {
        differences.push_back(text);
      }
    }
  }
  return differences;
}

}  // namespace

std::vector<std::vector<double>> QuantityProgram::points(
    std::span<const std::vector<double>> thetas) const {
  std::vector<std::vector<double>> ordered;
  for (const std::vector<double>& theta : thetas) {
    std::vector<double>& point = ordered.emplace_back();
    for (const std::size_t entry : order) point.push_back(theta[entry]);
  }
  return ordered;
}

QuantityProgram open_quantity_program(const OpenedBundle& opened, const ProgramSource& source) {
  BoundModel bound = bind_without_table(Program(inputs_beside(opened, source)));
  const RecordModel& fitted = opened.bound.model;
  const Parameters& own = bound.model.stan().parameters;
  std::vector<std::string> differences = differing_declarations(fitted.stan().parameters, own);
  if (!differences.empty()) refuse_parameters(source.model_file, differences);
  std::vector<std::size_t> order = order_of(fitted.stan().parameters, own);
  StanModelOptions options = bound.options();
  QuantityProgram made{{std::move(bound), std::move(options)}, std::move(order)};
  differences = differing_bounds(fitted, made);
  if (!differences.empty()) refuse_parameters(source.model_file, differences);
  return made;
}

}  // namespace dpvi
