#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Facts about record data (mean, sd, lower, upper) that a program uses, by variable.
using RequestedFacts = std::map<std::string, std::set<std::string>, std::less<>>;

// A schema for the user to complete.
struct SchemaDraft {
  std::string toml;                  // valid TOML; an entry to fill in is a comment with its key
  std::vector<std::string> missing;  // keys to fill in: "model.y", "columns.age.mean", "public.J"
};

// Header names that a draft shows. In a table without a header line the names are a record.
enum class HeaderNames {
  bound,  // only those that the program uses too
  all     // the caller has confirmed that the first line holds names
};

// Drafts a schema from the program's declarations and the header alone. Without a header, columns
// are named after the program's variables.
SchemaDraft draft_schema(const BindingRequest& request, const RequestedFacts& asked,
                         HeaderNames shown);

// A column of a data frame: its name and what its type alone says.
struct TypedName {
  std::string name;
  ColumnType type = ColumnType::real;
  bool is_logical = false;  // 0 and 1
  std::string note = {};    // a comment, such as the unit of a date
};

// A schema to complete by hand, without a program. It holds names and types; every fact that only a
// person can declare (bounds, means, levels, the unit of privacy) is a comment with its key. No
// cell is looked at, so the draft may be shared.
std::string schema_template(const std::vector<TypedName>& columns);

}  // namespace dpvi
