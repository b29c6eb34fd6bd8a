#pragma once

#include <span>
#include <string>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Refuses a schema that names a variable the program lacks (DP311, DP340) or a column the table
// lacks (DP321) where that is most likely a typing error, whose facts would silently not apply.
// Other such entries serve other programs and tables.
void check_schema_fits(const BindingRequest& request);

// Refuses (DP321) a column that is not in the header. `place` is where it was requested, or empty;
// then the error points at the header line. No header name is shown: see header_text.
void require_column(const BindingRequest& request, const std::string& name,
                    const SourcePlace& place);

// Joins names, truncated if there are too many to read.
std::string list_names(std::span<const std::string> names);

// Names the position of a column with a similar name; empty if there is none.
std::string similar_names_hint(const std::string& name, std::span<const std::string> header);

// Describes the header: its number of names, or a separator other than a comma.
//
// Guarantee: none of its names is shown. In a table without a header line they are a record.
std::string header_text(std::span<const std::string> header);

}  // namespace dpvi
