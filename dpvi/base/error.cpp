#include <dpvi/base/error.hpp>

#include <fmt/format.h>

namespace dpvi {
namespace {

std::string place_prefix(const SourcePlace& place) {
  if (place.file.empty()) return {};
  if (place.line == 0) return place.file + ": ";
  if (place.column == 0) return fmt::format("{}:{}: ", place.file, place.line);
  return fmt::format("{}:{}:{}: ", place.file, place.line, place.column);
}

std::string whole_line(const ErrorCode& code, const std::string& message, const std::string& hint,
                       const SourcePlace& place) {
  std::string line = fmt::format("error[{}] {}{}", code.id, place_prefix(place), message);
  if (!hint.empty()) line += " " + hint;
  return line;
}

}  // namespace

Error::Error(const ErrorCode& code, std::string message, std::string hint, SourcePlace place)
    : std::runtime_error(whole_line(code, message, hint, place)),
      code_(code),
      message_(std::move(message)),
      hint_(std::move(hint)),
      place_(std::move(place)) {}

}  // namespace dpvi
