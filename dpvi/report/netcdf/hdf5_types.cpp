#include <dpvi/report/netcdf/hdf5_types.hpp>

#include <array>

#include <dpvi/report/netcdf/little_endian.hpp>

namespace dpvi {
namespace {

// The first eight bytes of a datatype: class and version, three bytes of flags, size in bytes.
std::string type_start(unsigned version, unsigned kind, std::array<std::uint8_t, 3> flags,
                       std::size_t size) {
  std::string bytes;
  append_number(bytes, static_cast<std::uint8_t>(version << 4 | kind));
  for (const std::uint8_t flag : flags) append_number(bytes, flag);
  append_number(bytes, static_cast<std::uint32_t>(size));
  return bytes;
}

enum class Sign : std::uint8_t { without = 0, with = 0x08 };

std::string integer_type(std::size_t size, Sign sign = Sign::with) {
  constexpr unsigned kInteger = 0;
  std::string bytes = type_start(1, kInteger, {static_cast<std::uint8_t>(sign), 0, 0}, size);
  append_number(bytes, std::uint16_t{0});  // offset of the first bit
  append_number(bytes, static_cast<std::uint16_t>(8 * size));
  return bytes;
}

struct FloatParts {
  std::uint8_t exponent_bits, mantissa_bits;
  bool big_endian;
};

std::string float_type(std::size_t size, FloatParts parts) {
  constexpr unsigned kFloat = 1;
  constexpr std::uint8_t kImpliedOne = 0x20;  // the leading bit of the mantissa is not stored
  const auto order = static_cast<std::uint8_t>(parts.big_endian ? 1 : 0);
  const auto sign_bit = static_cast<std::uint8_t>(8 * size - 1);
  const auto flags = static_cast<std::uint8_t>(kImpliedOne | order);
  std::string bytes = type_start(1, kFloat, {flags, sign_bit, 0}, size);
  append_number(bytes, std::uint16_t{0});  // offset of the first bit
  append_number(bytes, static_cast<std::uint16_t>(8 * size));
  append_number(bytes, parts.mantissa_bits);  // the exponent starts after the mantissa
  append_number(bytes, parts.exponent_bits);
  append_number(bytes, std::uint8_t{0});
  append_number(bytes, parts.mantissa_bits);
  append_number(bytes, (std::uint32_t{1} << (parts.exponent_bits - 1U)) - 1U);  // bias
  return bytes;
}

constexpr unsigned kSpaceVersion = 2;
enum SpaceKind : std::uint8_t { scalar = 0, simple = 1, null = 2 };

std::string space_start(std::size_t dimensions, SpaceKind kind) {
  std::string bytes;
  append_number(bytes, static_cast<std::uint8_t>(kSpaceVersion));
  append_number(bytes, static_cast<std::uint8_t>(dimensions));
  append_number(bytes, std::uint8_t{0});  // the sizes are final
  append_number(bytes, static_cast<std::uint8_t>(kind));
  return bytes;
}

}  // namespace

std::string hdf5_double() { return float_type(8, {11, 52, false}); }
std::string hdf5_int32() { return integer_type(4); }
std::string hdf5_int8() { return integer_type(1); }
std::string hdf5_big_endian_float() { return float_type(4, {8, 23, true}); }

std::string hdf5_text(std::size_t bytes) {
  constexpr unsigned kText = 3;
  constexpr std::uint8_t kUtf8 = 0x10;
  return type_start(1, kText, {kUtf8, 0, 0}, bytes);
}

constexpr unsigned kVariableLength = 9;

std::string hdf5_texts() {
  constexpr std::uint8_t kText = 1, kUtf8 = 1;
  return type_start(1, kVariableLength, {kText, kUtf8, 0}, 16) + integer_type(1, Sign::without);
}

std::string hdf5_reference() {
  constexpr unsigned kReference = 7;
  return type_start(1, kReference, {0, 0, 0}, 8);
}

std::string hdf5_reference_list() {
  return type_start(1, kVariableLength, {0, 0, 0}, 16) + hdf5_reference();
}

std::string hdf5_reference_and_index() {
  constexpr unsigned kCompound = 6;
  constexpr std::uint8_t kMembers = 2;
  std::string bytes = type_start(3, kCompound, {kMembers, 0, 0}, 12);
  const auto add_member = [&](const char* name, std::uint8_t offset, const std::string& type) {
    bytes += name;
    bytes.push_back('\0');
    append_number(bytes, offset);
    bytes += type;
  };
  add_member("dataset", 0, hdf5_reference());
  add_member("dimension", 8, hdf5_int32());
  return bytes;
}

std::string hdf5_no_value() { return space_start(0, SpaceKind::null); }

std::string hdf5_space(const std::vector<std::uint64_t>& sizes) {
  std::string bytes = space_start(sizes.size(), sizes.empty() ? SpaceKind::scalar : simple);
  for (const std::uint64_t size : sizes) append_number(bytes, size);
  return bytes;
}

}  // namespace dpvi
