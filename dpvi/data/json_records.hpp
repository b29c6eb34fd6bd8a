#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/data/stan_json.hpp>

namespace dpvi {

struct JsonRecords {
  Binding binding;
  RecordTable table;
};

// Records and sizes out of Stan JSON. Its variables led by the record count act as columns named
// like those of a CSV file (y, x.1, x.2), so that the same schema serves both, and cells follow the
// same rules. Integer scalars that size a declaration become public; any other variable of the
// program that is not record data must be named in `public_names` or declared in `request`, else
// LeakError DP350. Wrong shapes are refused as DP331, missing variables as DP332.
// `request.header` is not read.
JsonRecords bind_json(const JsonData& data, BindingRequest request,
                      const std::vector<std::string>& public_names);

// All variables of a file of public values, as given with --public.
PublicData public_data_of(const JsonData& data);

}  // namespace dpvi
