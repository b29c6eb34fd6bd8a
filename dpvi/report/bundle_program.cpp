#include <dpvi/report/bundle_program.hpp>

#include <cmath>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {
namespace {

using Json = JsonFile::Json;

constexpr const char* kValues = "/inputs/public_data";

// Flattens nested lists of equal lengths; an empty list ends the descent.
void flatten(const JsonFile& file, const Json& value, std::size_t depth, PublicNumbers& result) {
  if (!value.is_array()) {
    if (depth != result.dimensions.size()) file.refuse(kValues, "has lists of unequal lengths");
    result.integers = result.integers && value.is_number_integer();
    result.numbers.push_back(file.number_in(value, kValues));
    return;
  }
  if (result.dimensions.size() == depth && result.numbers.empty()) {
    result.dimensions.push_back(value.size());
  }
  if (depth >= result.dimensions.size() || result.dimensions[depth] != value.size()) {
    file.refuse(kValues, "has lists of unequal lengths");
  }
  for (const Json& entry : value) flatten(file, entry, depth + 1, result);
}

const Json& object_at(const JsonFile& file, const char* pointer) {
  const Json& value = file.at(pointer);
  if (!value.is_object()) file.refuse(pointer, "is not an object");
  return value;
}

std::map<std::string, std::vector<std::string>> text_lists(const JsonFile& file,
                                                           const char* pointer) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& [name, list] : object_at(file, pointer).items()) {
    result[name] = file.texts_in(list, pointer);
  }
  return result;
}

PublicInputs read_inputs(const JsonFile& file) {
  PublicInputs inputs;
  inputs.record_count = file.text("/inputs/record_count");
  for (const auto& [name, value] : object_at(file, kValues).items()) {
    PublicNumbers numbers;
    numbers.integers = true;
    flatten(file, value, 0, numbers);
    inputs.values.emplace(name, std::move(numbers));
  }
  inputs.columns = text_lists(file, "/inputs/columns");
  inputs.level_files = text_lists(file, "/inputs/level_files");
  return inputs;
}

void require_hash(const std::string& text, const std::string& expected, const std::string& path) {
  if (sha256_hex(text) == expected) return;
  refuse_damaged(
      "this is not the file that the fit wrote: its SHA-256 differs from that in run.json.",
      {path, 0, 0});
}

}  // namespace

BundleProgram read_bundle_program(const BundleTexts& texts) {
  const JsonFile run(texts.path("run.json"), texts.text("run.json"));
  BundleProgram program;
  program.inputs = read_inputs(run);
  program.model_file = texts.path("model.stan");
  program.model_text = texts.text("model.stan");
  require_hash(program.model_text, run.text("/sha256/model"), program.model_file);
  if (run.at("/sha256/schema").is_null()) return program;
  program.schema_file = texts.path("schema.toml");
  program.schema_text = texts.text("schema.toml");
  require_hash(program.schema_text, run.text("/sha256/schema"), program.schema_file);
  return program;
}

}  // namespace dpvi
