#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// SHA-256 in lower-case hexadecimal.
std::string sha256_hex(std::string_view text);

// SHA-256 as its 32 bytes.
std::string sha256_bytes(std::string_view text);

// SHA-256 in base64, as a content security policy names a script.
std::string sha256_base64(std::string_view text);

// Throws std::bad_alloc if OpenSSL got no memory, else InternalError.
[[noreturn]] void throw_crypto_failure(std::string_view function);

}  // namespace dpvi
