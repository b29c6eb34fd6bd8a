#include "config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/data/toml_shape.hpp>

namespace dpvi::cli {
namespace {

SourcePlace place_of(const std::string& path, const toml::source_region& region) {
  return {path, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// The parser's message quotes the text. The file may be the private table, given by mistake, so the
// message is shown only if `may_quote` is true.
toml::table parse(const std::string& path, const std::string& text, bool may_quote) {
  if (const auto line = line_of_deep_key(text)) {
    throw UsageError(kBadConfig, "a key has more than 64 parts.",
                     "Each line is 'flag-name = value'.", {path, *line, 0});
  }
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw UsageError(kBadConfig,
                     may_quote ? fmt::format("not valid TOML: {}.", error.description())
                               : "not valid TOML, and no line sets a known flag.",
                     may_quote ? "Each line is 'flag-name = value'."
                               : "Each line is 'flag-name = value'. The file is not shown because "
                                 "it may hold records.",
                     place_of(path, error.source()));
  }
}

[[noreturn]] void refuse_value(const std::string& path, const std::string& key,
                               const toml::node& node) {
  throw UsageError(
      kBadConfig,
      fmt::format("key '{}' must be a number, a string, true, false or a list of these.", key),
      "Write the value that would follow the flag.", place_of(path, node.source()));
}

std::string as_text(const std::string& path, const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  refuse_value(path, key, node);
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty()) names.push_back(option->get_lnames().front());
  }
  std::erase(names, "help");
  std::erase(names, "config");
  return names;
}

[[noreturn]] void refuse_key(const std::string& key, const std::vector<std::string>& names,
                             SourcePlace place, bool may_quote = true) {
  const auto near = nearest_name(key, names);
  throw UsageError(kUnknownFlag,
                   near || may_quote ? fmt::format("unknown key '{}'.", key)
                                     : "unknown key; no key of the file is a flag.",
                   near ? fmt::format("Did you mean '{}'?", *near)
                        : fmt::format("Keys are names of flags: {}.", fmt::join(names, ", ")),
                   std::move(place));
}

// Adds the keys of a table that have values, which override those that are there.
void add_settings(const std::string& path, const toml::table& table,
                  const std::vector<std::string>& names, bool may_quote, NamedSettings& settings) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (node.is_table()) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      refuse_key(name, names, place_of(path, key.source()), may_quote);
    }
    if (name != "phase") {
      settings.values[name] = as_text(path, name, node);
      continue;
    }
    settings.phases.clear();
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) settings.phases.push_back(as_text(path, name, item));
    } else {
      settings.phases.push_back(as_text(path, name, node));
    }
  }
}

}  // namespace

void apply_config_file(CLI::App& app, const std::string& path) {
  const std::string text = read_whole_file(path);
  const std::vector<std::string> names = flag_names(app);
  const bool may_quote = has_toml_key(text, names);
  const toml::table table = parse(path, text, may_quote);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      refuse_key(name, names, place_of(path, key.source()), may_quote);
    }
    CLI::Option* option = app.get_option("--" + name);
    if (option->count() > 0) continue;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) option->add_result(as_text(path, name, item));
    } else {
      option->add_result(as_text(path, name, node));
    }
    option->run_callback();
  }
}

std::vector<NamedSettings> read_settings_file(const std::string& path,
                                              const std::vector<std::string>& names) {
  const std::string text = read_whole_file(path);
  const bool may_quote = has_toml_key(text, names);
  const toml::table table = parse(path, text, may_quote);
  NamedSettings common;
  add_settings(path, table, names, may_quote, common);
  std::vector<NamedSettings> found;
  for (const auto& [key, node] : table) {
    if (!node.is_table()) continue;
    NamedSettings settings = common;
    settings.name = std::string(key.str());
    for (const auto& [inner, value] : *node.as_table()) {
      if (value.is_table()) refuse_value(path, std::string(inner.str()), value);
    }
    add_settings(path, *node.as_table(), names, may_quote, settings);
    found.push_back(std::move(settings));
  }
  if (found.empty()) found.push_back(std::move(common));
  return found;
}

void set_flags(CLI::App& app, const std::vector<std::pair<std::string, std::string>>& flags,
               const SourcePlace& place) {
  const std::vector<std::string> names = flag_names(app);
  for (const auto& [name, text] : flags) {
    if (std::find(names.begin(), names.end(), name) == names.end()) refuse_key(name, names, place);
    CLI::Option* option = app.get_option("--" + name);
    option->add_result(text);
    option->run_callback();
  }
}

}  // namespace dpvi::cli
