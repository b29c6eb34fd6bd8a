#include "arguments.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/data/public_data.hpp>

namespace {

bool has(const cpp11::list& list, const char* name) {
  const SEXP found = list[name];
  return found != R_NilValue;
}

dpvi::ProgramSource source_of(const cpp11::list& model) {
  dpvi::ProgramSource source;
  source.model_file = text_in(model, "file");
  if (has(model, "text")) source.model_text = text_in(model, "text");
  source.schema_file = text_in(model, "schema_file");
  if (has(model, "schema_text")) source.schema_text = text_in(model, "schema_text");
  source.public_file = text_in(model, "public_file");
  source.record_count = text_in(model, "records");
  source.title = text_in(model, "title");
  source.one_row_per_person = text_in(model, "one_row_per_person") == "true";
  const cpp11::list values(model["public_data"]);
  const cpp11::strings names(values.names());
  for (R_xlen_t i = 0; i < values.size(); ++i) {
    const std::string name = names[i];
    const cpp11::list parts(values[i]);
    const cpp11::doubles numbers(parts["numbers"]);
    const cpp11::integers sizes(parts["sizes"]);
    dpvi::PublicValue value;
    value.numbers.assign(numbers.begin(), numbers.end());
    value.dimensions.assign(sizes.begin(), sizes.end());
    value.integers = std::all_of(numbers.begin(), numbers.end(),
                                 [](double number) { return number == std::floor(number); });
    value.source = "public_data";
    dpvi::add_public_value(source.public_data, name, value);
  }
  return source;
}

}  // namespace

std::string text_in(const cpp11::list& list, const char* name) {
  const std::vector<std::string> texts = texts_in(list, name);
  return texts.empty() ? std::string() : texts.front();
}

std::vector<std::string> texts_in(const cpp11::list& list, const char* name) {
  const SEXP found = list[name];
  if (found == R_NilValue) return {};
  const cpp11::strings texts(found);
  return {texts.begin(), texts.end()};
}

dpvi::ProgramInputs model_inputs(const cpp11::list& model) {
  const dpvi::ProgramSource source = source_of(model);
  if (!has(model, "formula")) return dpvi::read_program_inputs(source);
  return dpvi::formula_program_inputs(
      {text_in(model, "formula"), text_in(model, "family"), text_in(model, "link")}, source);
}

dpvi::Program model_program(const cpp11::list& model) { return dpvi::Program(model_inputs(model)); }

dpvi::Schema model_schema(const cpp11::list& model) {
  const dpvi::ProgramSource source = source_of(model);
  if (source.schema_text) return dpvi::parse_schema(*source.schema_text, source.schema_file);
  return source.schema_file.empty() ? dpvi::Schema{} : dpvi::read_schema(source.schema_file);
}

dpvi::SettingTexts setting_texts(const cpp11::list& settings) {
  dpvi::SettingTexts texts;
  texts.spelling = dpvi::SettingTexts::Spelling::arguments;
  if (settings.size() == 0) return texts;
  const cpp11::strings names(settings.names());
  for (R_xlen_t i = 0; i < settings.size(); ++i) {
    const std::string name = names[i];
    const cpp11::strings values(settings[i]);
    if (name == "phase") {
      texts.phases.assign(values.begin(), values.end());
    } else {
      texts.values[name] = std::string(values[0]);
    }
  }
  dpvi::refuse_unknown_settings(texts);
  return texts;
}

FrameColumns::FrameColumns(const cpp11::list& columns) {
  for (R_xlen_t i = 0; i < columns.size(); ++i) {
    const cpp11::list given(columns[i]);
    const std::string kind = text_in(given, "kind");
    const SEXP cells = given["values"];
    const auto rows = static_cast<std::size_t>(Rf_xlength(cells));
    dpvi::MemoryColumn column{.name = text_in(given, "name"), .cells = dpvi::Numbers{}};
    if (kind == "double") {
      column.cells = dpvi::Numbers(cpp11::safe[REAL](cells), rows);
    } else if (kind == "coded") {
      dpvi::CodedTexts coded;
      coded.texts = texts_in(given, "texts");
      coded.texts.insert(coded.texts.begin(), std::string());  // codes of R begin at 1
      coded.codes = {cpp11::safe[INTEGER](cells), rows};       // NA is negative: no text
      column.cells = std::move(coded);
    } else {
      std::vector<std::int64_t> numbers(rows);
      std::int64_t missing = std::numeric_limits<std::int64_t>::min();
      if (kind == "integer64") {  // the bits of a double
        std::memcpy(numbers.data(), cpp11::safe[REAL](cells), rows * sizeof(double));
      } else {
        const int* whole = cpp11::safe[INTEGER](cells);
        std::copy(whole, whole + rows, numbers.begin());
        missing = NA_INTEGER;
      }
      std::vector<std::uint8_t>& marks = missing_.emplace_back(rows);
      std::transform(numbers.begin(), numbers.end(), marks.begin(),
                     [&](std::int64_t number) { return number == missing ? 1 : 0; });
      whole_.push_back(std::move(numbers));
      column.cells = dpvi::WholeNumbers(whole_.back());
      column.missing = missing_.back();
    }
    columns_.push_back(std::move(column));
  }
}

void FrameColumns::refuse_types(const dpvi::Binding& binding) const {
  for (const dpvi::BoundColumn& wanted : binding.columns) {
    const bool texts = std::holds_alternative<dpvi::CodedTexts>(columns_[wanted.position].cells);
    if (!texts || wanted.type == dpvi::ColumnType::category) continue;
    throw dpvi::InputError(
        dpvi::kNotBindable,
        "column '" + wanted.name + "' is a factor or text, but the model asks for numbers.",
        "Declare type = \"category\" and its levels in the schema, or convert the column "
        "(as.integer(x == \"yes\")).");
  }
}
