#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/api/program.hpp>
#include <dpvi/api/setting_texts.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/data/schema_draft.hpp>

namespace dpvi::python {

namespace nb = nanobind;

// Each adds its functions to the module.
void bind_errors(nb::module_& module);
void bind_models(nb::module_& module);
void bind_fits(nb::module_& module);
void bind_bundles(nb::module_& module);
void bind_ledgers(nb::module_& module);

// A model as Python describes it: the keys of ProgramSource and, for a formula, those of
// FormulaSource.
using ModelParts = std::map<std::string, std::string>;
// Sizes, none for a scalar, and numbers, last index fastest.
using PublicNumbers = std::pair<std::vector<std::size_t>, std::vector<double>>;
using PublicNumbersByName = std::map<std::string, PublicNumbers>;

struct ModelDescription {
  ModelParts parts;
  PublicNumbersByName public_data;
};

ProgramInputs inputs_of(const ModelDescription& model);
Program program_of(const ModelDescription& model);

// Settings by name, spelled as arguments; an unknown one is refused.
SettingTexts settings_of(std::map<std::string, std::string> values,
                         std::vector<std::string> phases);

// A data frame, columns of NumPy arrays, or the name of a file. It must live until the last row is
// read.
class TableOfPython {
 public:
  explicit TableOfPython(const nb::object& rows);
  const Table& table() const { return table_; }
  // Names and what their types alone say. Reads no cell.
  std::vector<TypedName> typed_names() const;

 private:
  Table table_;
  std::vector<nb::object> kept_;
  std::vector<std::vector<std::uint8_t>> missing_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::vector<std::string_view>> views_;
};

}  // namespace dpvi::python
