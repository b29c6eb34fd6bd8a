#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/cell_parser.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/stan_json.hpp>
#include <dpvi/data/unit_ids.hpp>

namespace dpvi {

// A program bound to the names of a Stan JSON file.
struct JsonBinding {
  BindingRequest request;  // includes the public values of the file
  Binding binding;         // columns are found by their names, not by their positions
};

// Returns a predicate that selects the variables to read before the records: integers that size a
// declaration, and variables in `public_names`.
WantsValue public_in_json(const BindingRequest& request,
                          const std::vector<std::string>& public_names);

// Binds a program to the variable names of a Stan JSON file. Only names and the values selected by
// public_in_json() are read from `outline`, so the result does not depend on whether there are
// records.
//
// Variables whose first dimension is the record count act as columns (y, x.1, x.2), so that one
// schema serves JSON and CSV. The number of columns of a variable must be declared (DP341), by the
// file's own integers or elsewhere. It is not counted in the lists, since without records they are
// empty.
//
// Integer scalars that size a declaration become public. Any other program variable that is not
// record data must be named in `public_names` or declared in `request`, else LeakError DP350.
// Missing variables are refused as DP332, columns that only a schema names as DP321.
// `request.header` is not read.
JsonBinding bind_json(const JsonData& outline, BindingRequest request,
                      const std::vector<std::string>& public_names);

// The records of a Stan JSON file. The constructor refuses (DP331) lists that do not have one entry
// per record and the shape that the program declares.
class JsonColumns : public ColumnSource {
 public:
  JsonColumns(JsonData data, const BindingRequest& request, const Binding& binding,
              UnlistedTexts unlisted_texts = UnlistedTexts::dropped);

  const TypedBlock* next_block() override;

 private:
  // One cell per record, `stride` apart.
  struct Cells {
    const JsonVariable* variable = nullptr;  // null if there are no records
    std::size_t first = 0;
    std::size_t stride = 1;

    std::string_view text(std::size_t record) const {
      return variable->cell(first + record * stride);
    }
  };
  struct Column {
    Cells cells;
    CellParser parser;
  };

  Cells find_cells(const std::string& name, const std::string& file) const;
  void fill(const Column& column, TypedColumn& out) const;

  JsonData data_;
  std::size_t records_;
  std::size_t first_record_ = 0;  // of the block
  std::vector<Column> columns_;
  std::optional<Cells> unit_;
  UnitIds ids_;
  UnlistedTexts unlisted_texts_;
  TypedBlock block_;
};

// Returns the names of the columns formed by the file's lists that have one entry per record. It is
// meant for callers that may see the whole file. Refuses (DP332) a file that does not state the
// record count.
std::vector<std::string> json_columns(const JsonData& data, const BindingRequest& request);

// Returns all variables of a file of public values, as given with --public.
PublicData public_data_of(const JsonData& data);

}  // namespace dpvi
