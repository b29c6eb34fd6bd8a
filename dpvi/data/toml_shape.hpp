#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// True if a line of the text begins with one of these keys, as `key = `, `key.` or `[key`. Messages
// quote a TOML file only then: otherwise it may be the private table, given by mistake.
bool has_toml_key(std::string_view text, std::span<const std::string> keys);

}  // namespace dpvi
