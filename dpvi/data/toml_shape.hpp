#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// True if a line of the text begins with one of these keys, as `key = `, `key.` or `[key`. Messages
// quote a TOML file only then: otherwise it may be the private table, given by mistake.
bool has_toml_key(std::string_view text, std::span<const std::string> keys);

// The line of a key with more parts (a.b.c has 3) than any file of dpvi needs, or nullopt. The TOML
// library would exhaust the stack on a key of many parts; it limits other nesting by itself.
std::optional<int> line_of_deep_key(std::string_view text);

}  // namespace dpvi
