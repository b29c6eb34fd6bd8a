// Writes example bundles for tests in other languages:  write_example_bundles FOLDER
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/page/report_page.hpp>
#include <dpvi/report/posterior_netcdf.hpp>

#include "example_result.hpp"

namespace dpvi {
namespace {

// Replaces the outputs and gives each its own pattern of values.
FitResult with_outputs(const std::vector<OutputVariable>& outputs, std::size_t draws) {
  FitResult result = example_result(FamilyKind::mean_field, draws);
  result.outputs = outputs;
  std::size_t size = 0;
  for (const OutputVariable& output : outputs) size += static_cast<std::size_t>(output.size());
  const auto value = [](double draw, double column) {
    return std::sin(column / 300.0) + 0.3 * std::sin(37.0 * draw + column);
  };
  result.at_location.clear();
  result.draws.assign(draws, {});
  for (std::size_t j = 0; j < size; ++j) {
    const auto column = static_cast<double>(j);
    result.at_location.push_back(value(0.0, column));
    for (std::size_t i = 0; i < draws; ++i) {
      result.draws[i].push_back(value(static_cast<double>(i), column));
    }
  }
  result.sd_model.assign(size, 0.2);
  result.sd_privacy.assign(size, 0.1);
  return result;
}

// Draws at the limits of posterior.nc: names of dimensions as names of variables, more values than
// an attribute holds, and more references to dimensions than a collection of the heap holds.
FitResult netcdf_limits() {
  std::vector<OutputVariable> outputs = {
      {"chain", {}}, {"draw", {2}}, {"beta_dim_0", {}}, {"beta", {3}}, {"huge", {90, 100}}};
  for (int i = 0; i < 1500; ++i) outputs.push_back({fmt::format("v{}", i), {1}});
  return with_outputs(outputs, 4);
}

// Dimensions whose places have names, some of them odd.
FitResult named_example() {
  FitResult result = with_outputs(
      {{"alpha", {}}, {"effect", {4}}, {"table", {3, 2}}, {"short", {2}}, {"many", {5000}}}, 4);
  std::vector<std::string> many;
  for (int i = 0; i < 5000; ++i) many.push_back(fmt::format("level {}", i));
  result.inputs.index_names = {{"effect", {{"surgical", "日本語", "A & B \"x\"", ""}}},
                               {"table", {{}, {"low", "high"}}},
                               {"short", {{"only one"}}},
                               {"many", {many}}};
  return result;
}

// A run that went to large numbers and stayed there: its draws are equal.
FitResult exploded_example() {
  FitResult result = with_outputs({{"alpha", {}}, {"beta", {2}}}, 40);
  for (std::vector<double>& draw : result.draws) draw = {-1e154, 3e18, 0.0};
  result.sd_model.assign(3, 0.0);
  result.sd_privacy.assign(3, std::numeric_limits<double>::infinity());
  result.trace.path = IteratePath(3, 2);
  for (const std::int64_t step : {1, 2, 3}) result.trace.path.add(step, std::vector{1e154, -1e18});
  result.forecast = {{0.1, 0.2}, {0.1, 0.2}};
  return result;
}

// A bundle in which every text tries to become markup or a script. Only its report is written:
// no program has such names.
std::string hostile_report(const std::filesystem::path& folder, const ProgramVersion& program) {
  FitResult result = with_outputs({{"FIRST", {}}, {"SECOND", {}}, {"THIRD", {2}}}, 40);
  result.model_name = result.model_text = result.schema_text = result.started_at = "SECOND";
  result.unconstrained_names = {"FIRST", "THIRD.1"};
  result.verdict.reasons[0].words = "SECOND";
  result.verdict.reasons[0].parameters = {"FIRST"};
  result.public_facts = result.dropped_quantities = {"SECOND"};
  result.inputs.index_names = {{"THIRD", {{"FIRST", "SECOND"}}}};
  result.trace.path = IteratePath(2, 2);
  for (const std::int64_t step : {1, 2}) result.trace.path.add(step, std::vector{0.5, 1.5});
  result.forecast = {{0.1, 0.2}, {0.1, 0.2}};
  write_bundle(result, program, folder);
  BundleTexts texts = read_bundle_texts(folder);
  const std::pair<const char*, const char*> attacks[] = {
      {"FIRST", "<img src=x onerror=alert(1)>"},
      {"SECOND", "</code></script><script>attacked=1</script>"},
      {"THIRD", "'><b onload=alert(1)>"}};
  for (auto& [name, text] : texts.files) {
    for (const auto& [old_words, new_words] : attacks) {
      for (std::size_t at = text.find(old_words); at != std::string::npos;
           at = text.find(old_words)) {
        text.replace(at, std::strlen(old_words), new_words);
      }
    }
  }
  texts.files["model.stan"] += "\x01\x1b[31m\xff\xe2\x80\xae";
  return report_html(texts);
}

}  // namespace
}  // namespace dpvi

int main(int argc, char** argv) {
  using namespace dpvi;
  if (argc != 2) return 64;
  const std::filesystem::path folder = argv[1];
  const ProgramVersion program{"1.2.3", "abc"};
  write_bundle(example_result(FamilyKind::mean_field), program, folder / "mean_field");
  write_bundle(example_result(FamilyKind::full_rank), program, folder / "full_rank");
  write_bundle(unprotected_example(), program, folder / "not_private");
  write_bundle(sampled_example(), program, folder / "sampled");
  write_bundle(example_result(FamilyKind::mean_field, 1), program, folder / "one_draw");
  FitResult diverged = example_result();
  diverged.draws[3][0] = std::numeric_limits<double>::quiet_NaN();
  diverged.draws[3][1] = std::numeric_limits<double>::infinity();
  diverged.fitted.parameters[0] = std::numeric_limits<double>::quiet_NaN();
  diverged.total = with_noise(diverged.fitted, diverged.location_noise);
  diverged.privacy = executed(example_plan(), diverged.fitted.parameters);
  write_bundle(diverged, program, folder / "diverged");
  write_bundle(exploded_example(), program, folder / "exploded");
  write_bundle(with_outputs({{"alpha", {}}, {"theta", {5000}}}, 100), program, folder / "wide");
  write_bundle(named_example(), program, folder / "named");
  std::filesystem::create_directory(folder / "netcdf_limits");
  std::ofstream(folder / "netcdf_limits" / "posterior.nc", std::ios::binary)
      << posterior_netcdf(netcdf_limits(), program);
  const std::string hostile = hostile_report(folder / "hostile_source", program);
  std::filesystem::create_directory(folder / "hostile");
  std::ofstream(folder / "hostile" / "report.html", std::ios::binary) << hostile;
  return 0;
}
