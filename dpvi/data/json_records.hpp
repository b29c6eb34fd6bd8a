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
  BindingRequest request;  // with the public values that the file has
  Binding binding;         // columns are numbered as they are bound, the unit's behind them
};

// Whether a variable's value is to be read before the records are: it is public by the program, as
// an integer that sizes a declaration, or by name.
WantsValue public_in_json(const BindingRequest& request,
                          const std::vector<std::string>& public_names);

// Binds a program to a Stan JSON file by the file's names. Of `outline` only names and the values
// that public_in_json() wants are read, so that nothing depends on whether there are records. Its
// variables led by the record count act as columns (y, x.1, x.2), so that the same schema serves
// JSON and CSV. How many columns a variable has must be declared (DP341), by the file's own
// integers or elsewhere: it is not counted in the lists, since without records there are none.
// Integer scalars that size a declaration become public; any other variable of the program that is
// not record data must be named in `public_names` or declared in `request`, else LeakError DP350.
// Missing variables are refused as DP332, columns that a schema alone names as DP321.
// `request.header` is not read.
JsonBinding bind_json(const JsonData& outline, BindingRequest request,
                      const std::vector<std::string>& public_names);

// The records of a Stan JSON file as rows of cells. Lists that do not have one entry per record and
// the shape that the program declares are refused as DP331, before the first row.
class JsonRows {
 public:
  JsonRows(JsonData data, const BindingRequest& request, const Binding& binding);

  bool next_row();
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  // One cell per record, `stride` apart, to be put into its place among the row's cells.
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

// The names of the columns that a file's own lists make, for whoever may look at all of it: every
// list with one entry per record. Refuses (DP332) a file that does not state the record count.
std::vector<std::string> json_columns(const JsonData& data, const BindingRequest& request);

// All variables of a file of public values, as given with --public.
PublicData public_data_of(const JsonData& data);

}  // namespace dpvi
