#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Facts about its columns (mean, sd, lower, upper) that a program computes with, by variable.
using AskedFacts = std::map<std::string, std::set<std::string>, std::less<>>;

// A schema to complete.
struct SchemaDraft {
  std::string toml;                  // valid as it is; a line to fill in is a comment with its key
  std::vector<std::string> missing;  // keys to fill in: "model.y", "columns.age.mean", "public.J"
};

// Which names of the header a draft has. In a table without a header line the names are a record.
enum class HeaderNames {
  bound,  // those that the program has too
  all     // the caller has seen that the first line holds names
};

// Made of the program's declarations and the header alone. Without a header the columns are those
// that the program's names suggest.
SchemaDraft draft_schema(const BindingRequest& request, const AskedFacts& asked, HeaderNames shown);

}  // namespace dpvi
