#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/stan_json.hpp>

namespace dpvi {

// The records of a Stan JSON file as rows of cells. Every list with one entry per record is a
// column, named like those of a CSV file (y, x.1, x.2).
class JsonRows {
 public:
  // Of `request` only the names are read: of the record count and of record data.
  JsonRows(JsonData data, const BindingRequest& request);

  // Empty if there are no records.
  const std::vector<std::string>& header() const { return header_; }
  bool next_row();
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  // One cell per record, `stride` apart.
  struct Column {
    const JsonVariable* variable;
    std::size_t first;
    std::size_t stride;
  };

  JsonData data_;
  std::size_t records_;
  std::size_t next_ = 0;
  std::vector<std::string> header_;
  std::vector<Column> columns_;
  std::vector<std::string_view> cells_;
};

struct JsonRecords {
  Binding binding;
  JsonRows rows;
};

// Records and sizes out of Stan JSON. Its variables led by the record count act as columns, so that
// the same schema serves JSON and CSV, and cells follow the same rules. Integer scalars that size a
// declaration become public; any other variable of the program that is not record data must be
// named in `public_names` or declared in `request`, else LeakError DP350. Wrong shapes are refused
// as DP331, missing variables as DP332. `request.header` is not read.
JsonRecords bind_json(JsonData data, BindingRequest request,
                      const std::vector<std::string>& public_names);

// All variables of a file of public values, as given with --public.
PublicData public_data_of(const JsonData& data);

}  // namespace dpvi
