#include <dpvi/data/schema_draft.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/draft_text.hpp>
#include <dpvi/data/id_columns.hpp>
#include <dpvi/data/indexed_columns.hpp>

namespace dpvi {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Drafter {
 public:
  Drafter(const BindingRequest& request, const RequestedFacts& asked, HeaderNames shown)
      : request_(request), asked_(asked) {
    for (const DataVariable& variable : request.variables) {
      if (variable.per_record) columns_[variable.name] = columns_by_name(variable);
    }
    for (const std::string& name : request.header.value_or(std::vector<std::string>{})) {
      if (is_bound(name)) continue;
      if (shown == HeaderNames::all) unused_.push_back(name);
      if (shown == HeaderNames::bound) ++hidden_;
    }
  }

  SchemaDraft draft() {
    draft_.add_opening(request_.header.has_value());
    add_table();
    add_model();
    for (const DataVariable& variable : request_.variables) {
      if (variable.per_record) add_columns(variable);
    }
    add_unused_columns();
    add_public();
    return {std::move(draft_.toml), std::move(draft_.missing)};
  }

 private:
  template <typename... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    draft_.line(fmt::format(format, std::forward<Parts>(parts)...));
  }

  void entry(const std::string& assignment, std::string_view meaning) {
    draft_.entry(assignment, meaning);
  }

  void to_fill_in(const std::string& section, const std::string& key, const std::string& value,
                  const std::string& meaning) {
    draft_.to_fill_in(section, key, value, meaning);
  }

  void add_table() {
    const std::vector<std::string> names = request_.header.value_or(std::vector<std::string>{});
    const auto id = undecided_id_column(names, request_.schema);
    const auto shown = [&](const std::string& name) {
      return std::ranges::find(unused_, name) != unused_.end() || is_bound(name);
    };
    TableFacts facts{.schema = request_.schema};
    if (id) facts.id = IdColumn{*id + 1, shown(names[*id]) ? names[*id] : ""};
    draft_.add_table(facts);
  }

  bool is_bound(const std::string& name) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const auto& bound) { return contains(bound.second, name); });
  }

  // Returns the columns that a variable takes by its name, or an empty list if they must be filled
  // in.
  std::vector<std::string> columns_by_name(const DataVariable& variable) const {
    const std::size_t rank = variable.dimensions.size();
    if (!request_.header) {
      if (rank == 0) return {variable.name};
      std::vector<std::size_t> extents;
      for (const DeclaredNumber& extent : variable.dimensions) {
        const std::optional<double> value = value_of(extent, request_.public_data);
        constexpr double kMaxColumns = 1000;
        if (!value || *value < 1 || *value > kMaxColumns) return {};
        extents.push_back(static_cast<std::size_t>(*value));
      }
      return element_names(variable.name, extents);
    }
    const std::vector<std::string>& header = *request_.header;
    if (rank == 0) {
      return contains(header, variable.name) ? std::vector{variable.name}
                                             : std::vector<std::string>{};
    }
    const auto found = find_indexed_columns(variable.name, rank, header);
    const auto is_there = [&](const std::string& name) { return contains(header, name); };
    if (!found || !std::all_of(found->names.begin(), found->names.end(), is_there)) return {};
    return found->names;
  }

  void add_model() {
    line("\n[model]");
    entry(fmt::format("records = {}", toml_text(request_.record_count)), "counts the records");
    for (const DataVariable& variable : request_.variables) {
      if (!variable.per_record) continue;
      const std::vector<std::string>& columns = columns_.at(variable.name);
      if (columns.empty()) {
        add_open_binding(variable);
      } else if (variable.dimensions.empty()) {
        entry(fmt::format("{} = {}", variable.name, toml_text(columns[0])),
              variable.type_description);
      } else if (variable.dimensions.size() == 1) {
        entry(fmt::format("{} = {}", variable.name, toml_texts(columns)),
              variable.type_description);
      } else {
        line("# {} ({}): columns {} to {}, by their names", variable.name,
             variable.type_description, toml_text(columns.front()), toml_text(columns.back()));
      }
    }
  }

  void add_open_binding(const DataVariable& variable) {
    if (variable.dimensions.empty()) {
      const auto near = nearest_name(variable.name, unused_);
      to_fill_in("model", variable.name, near ? toml_text(*near) : "\"...\"",
                 variable.type_description + ": the column's name");
      return;
    }
    const bool some = !unused_.empty() && request_.header;
    to_fill_in("model", variable.name, some ? toml_texts(unused_) : "[\"...\", \"...\"]",
               variable.type_description +
                   ": its columns in order; remove those that do not belong to it");
  }

  void add_columns(const DataVariable& variable) {
    for (const std::string& name : columns_.at(variable.name)) {
      if (!described_.insert(name).second) continue;
      line("\n[columns.{}]", toml_key(name));
      if (variable.base == BaseType::integer) {
        add_integer(variable, name);
      } else {
        add_real(variable);
      }
      add_asked(variable, name);
      entry("# if_missing = \"drop\"", "or a value or level; a dropped row contributes nothing");
    }
  }

  void add_integer(const DataVariable& variable, const std::string& name) {
    const bool counted = variable.upper && variable.upper->kind == DeclaredNumber::Kind::size &&
                         !value_of(*variable.upper, request_.public_data);
    if (!counted) {
      entry("type = \"int\"", variable.type_description + "; for texts use levels = [...] instead");
      return;
    }
    to_fill_in("columns." + name, "levels", "[\"...\", \"...\"]",
               fmt::format("codes 1, 2, ... in this order (or levels_file); else {} under [public]",
                           variable.upper->size));
  }

  void add_real(const DataVariable& variable) {
    const bool within = !variable.dimensions.empty();
    entry("type = \"real\"", within
                                 ? fmt::format("of {} ({}); for texts use levels = [...] instead",
                                               variable.name, variable.type_description)
                                 : variable.type_description);
    const auto asked = asked_.find(variable.name);
    const auto is_asked = [&](const char* fact) {
      return asked != asked_.end() && asked->second.contains(fact);
    };
    const auto offer = [&](const char* fact, const char* meaning) {
      if (!is_asked(fact)) entry(fmt::format("# {} = ...", fact), meaning);
    };
    if (!variable.lower) offer("lower", "reals outside are clamped");
    if (!variable.upper) offer("upper", "likewise");
    offer("mean", "for a better start and noise forecast");
    offer("sd", "likewise");
    entry("# standardise = true", "the program then sees (x - mean) / sd");
  }

  void add_asked(const DataVariable& variable, const std::string& name) {
    const auto asked = asked_.find(variable.name);
    if (asked == asked_.end()) return;
    for (const std::string& fact : asked->second) {
      to_fill_in("columns." + name, fact, "...",
                 fmt::format("the program uses the {} of {}", fact, variable.name));
    }
  }

  // Any of them may become part of a variable whose columns must still be filled in.
  void add_unused_columns() {
    if (hidden_ > 0) {
      line("\n# {} further column{} of the table: not named here because the first line may be a",
           hidden_, hidden_ == 1 ? "" : "s");
      line("# record. If it holds names, 'dpvi schema --names' writes them all.");
    }
    if (unused_.empty()) return;
    const auto open = [](const auto& bound) { return bound.second.empty(); };
    if (std::none_of(columns_.begin(), columns_.end(), open)) {
      line("\n# Columns that the program does not use: {}", toml_texts(unused_));
      return;
    }
    line("\n# Columns not bound so far. Keep the tables of those named above.");
    for (const std::string& name : unused_) {
      line("\n# [columns.{}]", toml_key(name));
      entry("# type = \"real\"", "or int or category; then lower, upper, mean, sd as above");
      entry("# levels = [\"...\", \"...\"]", "of a category");
    }
  }

  void add_public() {
    line("\n[public]");
    for (const DataVariable& variable : request_.variables) {
      if (variable.per_record || variable.name == request_.record_count) continue;
      const auto given = request_.public_data.find(variable.name);
      if (given != request_.public_data.end()) {
        line("# {}: {}", variable.name, given->second.source);
      } else if (const std::string source = follows_from(variable); !source.empty()) {
        line("# {} follows from {}", variable.name, source);
      } else if (const std::string column = counted_by(variable); !column.empty()) {
        entry(fmt::format("# {} = ...", variable.name),
              fmt::format("{}; follows from the levels of {} where they are listed",
                          variable.type_description, column));
      } else {
        to_fill_in("public", variable.name, variable.dimensions.empty() ? "..." : "[...]",
                   variable.type_description);
      }
    }
  }

  // Names the source that determines a size; empty if there is none.
  std::string follows_from(const DataVariable& size) const {
    const auto is_size = [&](const DeclaredNumber& number) {
      return number.kind == DeclaredNumber::Kind::size && number.size == size.name;
    };
    for (const DataVariable& variable : request_.variables) {
      if (!variable.per_record) continue;
      const auto& extents = variable.dimensions;
      const bool settled = extents.size() == 1 || !columns_.at(variable.name).empty();
      if (settled && std::any_of(extents.begin(), extents.end(), is_size)) {
        return "the columns of " + variable.name;
      }
    }
    return {};
  }

  // Returns the record variable that has this size as its upper bound; empty if none.
  std::string counted_by(const DataVariable& size) const {
    for (const DataVariable& variable : request_.variables) {
      if (variable.per_record && variable.base == BaseType::integer && variable.upper &&
          variable.upper->kind == DeclaredNumber::Kind::size && variable.upper->size == size.name) {
        return variable.name;
      }
    }
    return {};
  }

  const BindingRequest& request_;
  const RequestedFacts& asked_;
  std::map<std::string, std::vector<std::string>> columns_;  // by record variable
  std::vector<std::string> unused_;
  std::size_t hidden_ = 0;  // header names that are not shown
  std::set<std::string> described_;
  DraftText draft_;
};

}  // namespace

SchemaDraft draft_schema(const BindingRequest& request, const RequestedFacts& asked,
                         HeaderNames shown) {
  return Drafter(request, asked, shown).draft();
}

std::string schema_template(const std::vector<TypedName>& columns) {
  std::string text =
      "# Complete the lines that are comments: public facts that you know from elsewhere than "
      "this\n"
      "# table. Delete columns that no model uses.\n"
      "[table]\n"
      "# rows = 10000                 # approximate number of rows, as far as it is public\n";
  for (const TypedName& column : columns) {
    if (id_name(column.name) == IdName::none) continue;
    text += fmt::format("# unit = {}; max_rows_per_unit = 4, if a person may have several rows\n",
                        toml_text(column.name));
  }
  text += "# one_row_per_person = true    # if no person has two rows\n";
  const auto out = std::back_inserter(text);
  for (const TypedName& column : columns) {
    const char* type = column.type == ColumnType::category  ? "category"
                       : column.type == ColumnType::integer ? "int"
                                                            : "real";
    fmt::format_to(out, "\n[columns.{}]\ntype = \"{}\"{}\n", toml_key(column.name), type,
                   column.note.empty() ? "" : "  # " + column.note);
    if (column.is_logical) {
      text += "lower = 0\nupper = 1\n";
    } else if (column.type == ColumnType::category) {
      text += "# levels = [\"...\", \"...\"]\n";
    } else {
      text += "# lower = \n# upper = \n# mean = \n# sd = \n";
    }
  }
  return text;
}

}  // namespace dpvi
