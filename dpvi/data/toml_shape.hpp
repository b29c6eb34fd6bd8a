#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// Whether a line of the text begins with one of these keys, as `key = `, `key.` or `[key`. Messages
// about a TOML file quote it only then: otherwise it may be the table, given by mistake.
bool has_toml_key(std::string_view text, std::span<const std::string> keys);

}  // namespace dpvi
