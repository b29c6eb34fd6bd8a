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

}  // namespace dpvi
