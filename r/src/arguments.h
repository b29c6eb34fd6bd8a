#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/formula_program.hpp>
#include <dpvi/api/program.hpp>
#include <dpvi/api/setting_texts.hpp>
#include <dpvi/api/table.hpp>

#include <cpp11.hpp>

// Lists of R as arguments of the library. R/arguments.R makes them.

// A model: a Stan program as file or text, or a formula; with schema and public data.
dpvi::ProgramInputs model_inputs(const cpp11::list& model);
dpvi::Program model_program(const cpp11::list& model);
dpvi::Schema model_schema(const cpp11::list& model);

// Settings as texts by name.
dpvi::SettingTexts setting_texts(const cpp11::list& settings);

// A data frame whose columns R has brought to doubles, integers, integer64 or coded texts. It views
// the cells of R and must not outlive them.
class FrameColumns {
 public:
  explicit FrameColumns(const cpp11::list& columns);

  dpvi::Table table() const { return dpvi::MemoryTable(columns_); }
  // Refuses a column of texts where the model asks for numbers. Decided by types and declarations.
  void refuse_types(const dpvi::Binding& binding) const;

 private:
  std::vector<dpvi::MemoryColumn> columns_;
  std::vector<std::vector<std::int64_t>> whole_;
  std::vector<std::vector<std::uint8_t>> missing_;
};

std::string text_in(const cpp11::list& list, const char* name);  // empty if absent
std::vector<std::string> texts_in(const cpp11::list& list, const char* name);
