#pragma once

#include <string>
#include <string_view>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/data/arrow_abi.hpp>

namespace dpvi {

inline constexpr ErrorCode kBadArrow{"DP327", ErrorKind::bad_input,
                                     "a data frame violates the Arrow format"};

// How the values of an Arrow array are stored.
enum class ArrowStorage {
  null,  // every cell is missing
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  text,        // 32-bit offsets
  large_text,  // 64-bit offsets
  text_view,
  date_days,
  date_milliseconds,
  timestamp,
  decimal32,
  decimal64,
  decimal128,
  unreadable
};

// A type of a column that a program may use. Dates, timestamps and decimals are read as texts.
struct ArrowType {
  ArrowStorage storage = ArrowStorage::unreadable;
  std::string name;            // in words, for messages and templates
  int fraction_digits = 0;     // of the seconds of a timestamp: 0, 3, 6 or 9
  int decimal_places = 0;      // of a decimal; below 0 for multiples of a power of 10
  bool is_dictionary = false;  // `storage` is then that of the codes
};

enum class ArrowKind { boolean, whole, real, decimal, text, date, nothing, unreadable };

ArrowKind kind_of(ArrowStorage storage);

// The type that a format string describes, without a dictionary.
ArrowType arrow_type(std::string_view format);

}  // namespace dpvi
