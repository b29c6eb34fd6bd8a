#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/source_folder.hpp>

// Whole programs: those of the examples, of the measurements and of posteriordb.
namespace dpvi {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Public data without a declared value are small sizes.
OutcomeSimulator simulator_of(const std::filesystem::path& path) {
  CheckedProgram checked = read_stan_program(path, text_of(path), stan_functions());
  throw_if_errors(checked.findings, checked.source);
  const DataBlock data = describe_data_block(checked.program, "N", checked.findings);
  BindingRequest request;
  request.variables = data_variables(data, path);
  for (const DataBlockVariable& variable : data.variables) {
    if (variable.role != DataRole::known) continue;
    request.public_data[variable.declaration->name] = PublicValue::integer(3.0, "test");
  }
  const Binding binding = bind_columns(request);
  StanModelOptions options;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  const RecordModel model(build_stan_model(checked, data, stan_functions(), options));
  return OutcomeSimulator(model, binding);
}

std::vector<std::filesystem::path> programs_in(const std::string& folder) {
  std::vector<std::filesystem::path> programs;
  const std::filesystem::path root = tests_folder() / ".." / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".stan") programs.push_back(entry.path());
  }
  return programs;
}

TEST(OutcomeLawsOfPrograms, AreFoundForAllMeasuredPrograms) {
  for (const std::filesystem::path& program : programs_in("experiments/coverage/models")) {
    const OutcomeSimulator simulator = simulator_of(program);
    EXPECT_TRUE(simulator.found()) << program << ": " << simulator.description();
  }
}

// The censoring times of relapse are known only for censored records. The records of implants stand
// in two tables, for which no law is looked for.
TEST(OutcomeLawsOfPrograms, AreFoundForTheExamples) {
  for (const std::filesystem::path& program : programs_in("examples")) {
    if (program.parent_path().filename() == "implants") continue;
    const OutcomeSimulator simulator = simulator_of(program);
    const bool censored = program.parent_path().filename() == "relapse";
    EXPECT_EQ(simulator.found(), !censored) << program << ": " << simulator.description();
  }
}

}  // namespace
}  // namespace dpvi
