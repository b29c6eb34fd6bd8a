#include <dpvi/data/arrow_type.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace dpvi {
namespace {

struct NamedFormat {
  std::string_view format;
  ArrowStorage storage;
  std::string_view name;
};

constexpr auto kFormats = std::to_array<NamedFormat>({
    {"n", ArrowStorage::null, "no values"},
    {"b", ArrowStorage::boolean, "Booleans"},
    {"c", ArrowStorage::int8, "whole numbers"},
    {"C", ArrowStorage::uint8, "whole numbers"},
    {"s", ArrowStorage::int16, "whole numbers"},
    {"S", ArrowStorage::uint16, "whole numbers"},
    {"i", ArrowStorage::int32, "whole numbers"},
    {"I", ArrowStorage::uint32, "whole numbers"},
    {"l", ArrowStorage::int64, "whole numbers"},
    {"L", ArrowStorage::uint64, "whole numbers"},
    {"e", ArrowStorage::float16, "real numbers"},
    {"f", ArrowStorage::float32, "real numbers"},
    {"g", ArrowStorage::float64, "real numbers"},
    {"u", ArrowStorage::text, "texts"},
    {"U", ArrowStorage::large_text, "texts"},
    {"vu", ArrowStorage::text_view, "texts"},
    {"tdD", ArrowStorage::date_days, "dates"},
    {"tdm", ArrowStorage::date_milliseconds, "dates"},
});

struct NamedPrefix {
  std::string_view prefix;
  std::string_view name;
};

constexpr auto kUnreadable = std::to_array<NamedPrefix>({
    {"tt", "times of day"},
    {"tD", "durations"},
    {"ti", "intervals"},
    {"+s", "structs"},
    {"+l", "lists"},
    {"+L", "lists"},
    {"+v", "lists"},
    {"+w", "lists"},
    {"+m", "maps"},
    {"+u", "unions"},
    {"+r", "run-end encoded values"},
    {"z", "bytes"},
    {"Z", "bytes"},
    {"vz", "bytes"},
    {"w:", "bytes"},
});

ArrowType timestamp(char unit) {
  constexpr std::string_view kUnits = "smun";
  const std::size_t place = kUnits.find(unit);
  if (place == std::string_view::npos) return {ArrowStorage::unreadable, "an unknown type"};
  return {ArrowStorage::timestamp, "timestamps", static_cast<int>(3 * place)};
}

// "d:PRECISION,PLACES" or "d:PRECISION,PLACES,BITS".
ArrowType decimal(std::string_view parameters) {
  constexpr int kMostPlaces = 76;
  std::array<int, 3> numbers = {0, 0, 128};
  std::size_t count = 0;
  const char* at = parameters.data();
  const char* const end = at + parameters.size();
  while (count < numbers.size()) {
    const auto [next, problem] = std::from_chars(at, end, numbers[count]);
    if (problem != std::errc()) break;
    ++count;
    at = next;
    if (at == end || *at != ',') break;
    ++at;
  }
  ArrowType type{ArrowStorage::unreadable, "decimals"};
  type.decimal_places = numbers[1];
  if (at != end || count < 2 || std::abs(numbers[1]) > kMostPlaces) return type;
  if (numbers[2] == 32) type.storage = ArrowStorage::decimal32;
  if (numbers[2] == 64) type.storage = ArrowStorage::decimal64;
  if (numbers[2] == 128) type.storage = ArrowStorage::decimal128;
  return type;
}

}  // namespace

ArrowKind kind_of(ArrowStorage storage) {
  switch (storage) {
    case ArrowStorage::null:
      return ArrowKind::nothing;
    case ArrowStorage::boolean:
      return ArrowKind::boolean;
    case ArrowStorage::float16:
    case ArrowStorage::float32:
    case ArrowStorage::float64:
      return ArrowKind::real;
    case ArrowStorage::text:
    case ArrowStorage::large_text:
    case ArrowStorage::text_view:
      return ArrowKind::text;
    case ArrowStorage::date_days:
    case ArrowStorage::date_milliseconds:
    case ArrowStorage::timestamp:
      return ArrowKind::date;
    case ArrowStorage::decimal32:
    case ArrowStorage::decimal64:
    case ArrowStorage::decimal128:
      return ArrowKind::decimal;
    case ArrowStorage::unreadable:
      return ArrowKind::unreadable;
    default:
      return ArrowKind::whole;
  }
}

ArrowType arrow_type(std::string_view format) {
  const auto found = std::ranges::find(kFormats, format, &NamedFormat::format);
  if (found != kFormats.end()) return {found->storage, std::string(found->name)};
  if (format.size() >= 4 && format.starts_with("ts") && format[3] == ':') {
    return timestamp(format[2]);
  }
  if (format.starts_with("d:")) return decimal(format.substr(2));
  for (const auto& [prefix, name] : kUnreadable) {
    if (format.starts_with(prefix)) return {ArrowStorage::unreadable, std::string(name)};
  }
  return {ArrowStorage::unreadable, "an unknown type"};
}

}  // namespace dpvi
