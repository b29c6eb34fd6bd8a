#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/stan_json.hpp>

namespace dpvi {

// A program bound to the names of a Stan JSON file.
struct JsonBinding {
  BindingRequest request;  // includes the public values of the file
  Binding binding;         // columns are numbered as bound; the unit column comes last
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

// The records of a Stan JSON file as rows of cells. The constructor refuses (DP331) lists that do
// not have one entry per record and the shape that the program declares.
class JsonRows {
 public:
  JsonRows(JsonData data, const BindingRequest& request, const Binding& binding);

  bool next_row();
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  // One cell per record, `stride` apart, written to `position` in the row.
  struct Column {
    const JsonVariable* variable;
    std::size_t first;
    std::size_t stride;
    std::size_t position;
  };

  void add_column(const std::string& name, std::size_t position, const std::string& file);

  JsonData data_;
  std::size_t records_;
  std::size_t next_ = 0;
  std::vector<Column> columns_;
  std::vector<std::string_view> cells_;
};

// Returns the names of the columns formed by the file's lists that have one entry per record. It is
// meant for callers that may see the whole file. Refuses (DP332) a file that does not state the
// record count.
std::vector<std::string> json_columns(const JsonData& data, const BindingRequest& request);

// Returns all variables of a file of public values, as given with --public.
PublicData public_data_of(const JsonData& data);

}  // namespace dpvi
