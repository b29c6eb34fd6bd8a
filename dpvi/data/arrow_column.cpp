#include <dpvi/data/arrow_column.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include <dpvi/base/error.hpp>
#include <dpvi/data/arrow_texts.hpp>
#include <dpvi/data/utf8.hpp>

namespace dpvi {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 48;  // far below overflow of any place
constexpr std::size_t kInlineText = 12;                    // longest text inside a text view
constexpr std::size_t kViewSize = 16;

// Buffers need not be aligned.
template <typename Number>
Number number_at(const void* buffer, std::int64_t i) {
  Number number;
  std::memcpy(&number, static_cast<const char*>(buffer) + i * std::int64_t{sizeof(Number)},
              sizeof(Number));
  return number;
}

bool bit_at(const void* buffer, std::int64_t i) {
  return ((static_cast<const std::uint8_t*>(buffer)[i / 8] >> (i % 8)) & 1) != 0;
}

double half_precision(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(1024.0 + fraction, exponent - 25);
  if (fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  return sign * std::numeric_limits<double>::infinity();
}

template <typename Number>
bool is_aligned(const void* buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer) % alignof(Number) == 0;
}

std::int64_t buffers_of(ArrowStorage storage) {
  switch (storage) {
    case ArrowStorage::null:
      return 0;
    case ArrowStorage::text:
    case ArrowStorage::large_text:
    case ArrowStorage::text_view:  // at least
      return 3;
    default:
      return 2;
  }
}

std::string checked_name(const ArrowSchema& schema) {
  std::string name = schema.name == nullptr ? "" : schema.name;
  if (is_utf8(name)) return name;
  throw InputError(kHeaderNotUtf8, "the name of a column is not UTF-8 text.", "Rename the column.");
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowSchema& schema) : name_(checked_name(schema)) {
  if (schema.format == nullptr) refuse("it has no type");
  type_ = arrow_type(schema.format);
  if (schema.dictionary == nullptr) return;
  if (kind_of(type_.storage) != ArrowKind::whole) refuse("codes of a dictionary are whole numbers");
  entries_ = std::make_unique<ArrowColumn>(*schema.dictionary);
  entries_->name_ = name_;
  type_.is_dictionary = true;
  type_.name = entries_->type_.is_dictionary ? "nested dictionaries" : entries_->type_.name;
}

ArrowKind ArrowColumn::kind() const {
  if (!entries_) return kind_of(type_.storage);
  return entries_->entries_ ? ArrowKind::unreadable : entries_->kind();
}

void ArrowColumn::refuse(std::string_view what) const {
  throw InputError(kBadArrow,
                   fmt::format("column '{}' of the data frame is malformed: {}.", name_, what),
                   "Make the data frame anew, or save it as CSV.");
}

void ArrowColumn::start(const ArrowArray& array, std::int64_t rows_needed) {
  array_ = &array;
  if (array.length < rows_needed || array.length > kMostRows) refuse("its length is wrong");
  if (array.offset < 0 || array.offset > kMostRows) refuse("its offset is wrong");
  if (kind() == ArrowKind::unreadable) return;  // refused when it is bound
  check_buffers();
  if (!entries_) return;
  if (array.dictionary == nullptr) refuse("its dictionary is missing");
  if (array.dictionary->length < 0) refuse("the length of its dictionary is wrong");
  entries_->start(*array.dictionary, 0);
  entry_cells_ = entries_->cells({0, array.dictionary->length});
}

void ArrowColumn::check_buffers() const {
  if (type_.storage == ArrowStorage::null) return;  // some libraries hand over an empty buffer
  const std::int64_t wanted = buffers_of(type_.storage);
  const bool views = type_.storage == ArrowStorage::text_view;
  if (views ? array_->n_buffers < wanted : array_->n_buffers != wanted) {
    refuse("its number of buffers is wrong");
  }
  if (array_->buffers == nullptr) refuse("its buffers are missing");
  if (array_->n_buffers > std::numeric_limits<std::int32_t>::max()) {
    refuse("its number of buffers is wrong");
  }
  if (array_->length > 0 && array_->buffers[1] == nullptr) refuse("its values are missing");
}

void ArrowColumn::mark_missing(ArrowRows rows) {
  storage_.missing.clear();
  const auto count = static_cast<std::size_t>(rows.count);
  if (type_.storage == ArrowStorage::null) {
    storage_.missing.assign(count, 1);
    return;
  }
  const void* valid = array_->buffers[0];
  if (valid == nullptr || array_->null_count == 0) return;
  storage_.missing.resize(count);
  for (std::int64_t i = 0; i < rows.count; ++i) {
    storage_.missing[static_cast<std::size_t>(i)] =
        bit_at(valid, array_->offset + rows.first + i) ? 0 : 1;
  }
}

bool ArrowColumn::is_marked(std::int64_t i) const {
  return !storage_.missing.empty() && storage_.missing[static_cast<std::size_t>(i)] != 0;
}

template <typename Number>
void ArrowColumn::read_whole(ArrowRows rows) {
  storage_.whole.resize(static_cast<std::size_t>(rows.count));
  const std::int64_t first = array_->offset + rows.first;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    storage_.whole[static_cast<std::size_t>(i)] =
        static_cast<std::int64_t>(number_at<Number>(array_->buffers[1], first + i));
  }
}

// Numbers above the largest signed one keep their digits as texts.
void ArrowColumn::read_wide_whole(ArrowRows rows) {
  read_whole<std::uint64_t>(rows);
  if (std::ranges::none_of(storage_.whole, [](std::int64_t value) { return value < 0; })) return;
  std::vector<std::string> texts;
  for (const std::int64_t value : storage_.whole) {
    texts.push_back(fmt::format("{}", static_cast<std::uint64_t>(value)));
  }
  use_texts(std::move(texts));
}

template <typename Number>
void ArrowColumn::read_real(ArrowRows rows) {
  storage_.numbers.resize(static_cast<std::size_t>(rows.count));
  const std::int64_t first = array_->offset + rows.first;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const auto number = number_at<Number>(array_->buffers[1], first + i);
    double& out = storage_.numbers[static_cast<std::size_t>(i)];
    if constexpr (std::is_same_v<Number, std::uint16_t>) {
      out = half_precision(number);
    } else {
      out = static_cast<double>(number);
    }
  }
}

template <typename Offset>
void ArrowColumn::read_texts(ArrowRows rows) {
  storage_.texts.assign(static_cast<std::size_t>(rows.count), {});
  const std::int64_t first = array_->offset + rows.first;
  const auto* bytes = static_cast<const char*>(array_->buffers[2]);
  std::int64_t begin = rows.count > 0 ? number_at<Offset>(array_->buffers[1], first) : 0;
  if (begin < 0) refuse("the place of a text is wrong");
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t end = number_at<Offset>(array_->buffers[1], first + i + 1);
    if (end < begin || (bytes == nullptr && end > begin)) refuse("the place of a text is wrong");
    if (!is_marked(i)) {
      storage_.texts[static_cast<std::size_t>(i)] =
          end == begin ? std::string_view("")
                       : std::string_view(bytes + begin, static_cast<std::size_t>(end - begin));
    }
    begin = end;
  }
}

std::string_view ArrowColumn::view_at(std::int64_t row) const {
  const char* view = static_cast<const char*>(array_->buffers[1]) + row * std::int64_t{kViewSize};
  const auto size = number_at<std::int32_t>(view, 0);
  if (size < 0) refuse("the size of a text is wrong");
  const auto length = static_cast<std::size_t>(size);
  if (length <= kInlineText) return {view + sizeof(std::int32_t), length};
  const std::int64_t buffer = number_at<std::int32_t>(view, 2);
  const std::int64_t place = number_at<std::int32_t>(view, 3);
  const std::int64_t buffers = array_->n_buffers - 3;
  const void* sizes = array_->buffers[array_->n_buffers - 1];
  if (buffer < 0 || buffer >= buffers || sizes == nullptr || place < 0 ||
      size > number_at<std::int64_t>(sizes, buffer) - place ||
      array_->buffers[2 + buffer] == nullptr) {
    refuse("the place of a text is wrong");
  }
  return {static_cast<const char*>(array_->buffers[2 + buffer]) + place, length};
}

void ArrowColumn::read_views(ArrowRows rows) {
  storage_.texts.assign(static_cast<std::size_t>(rows.count), {});
  for (std::int64_t i = 0; i < rows.count; ++i) {
    if (is_marked(i)) continue;
    storage_.texts[static_cast<std::size_t>(i)] = view_at(array_->offset + rows.first + i);
  }
}

std::string ArrowColumn::date_at(std::int64_t row) const {
  constexpr std::int64_t kMillisecondsPerDay = 86'400'000;
  if (type_.storage == ArrowStorage::date_days) {
    return date_text(number_at<std::int32_t>(array_->buffers[1], row));
  }
  const auto ticks = number_at<std::int64_t>(array_->buffers[1], row);
  if (type_.storage == ArrowStorage::timestamp) {
    return timestamp_text(ticks, type_.fraction_digits);
  }
  return date_text(floor_divided(ticks, kMillisecondsPerDay));
}

void ArrowColumn::read_decimals(ArrowRows rows) {
  std::vector<std::string> texts(static_cast<std::size_t>(rows.count));
  for (std::int64_t i = 0; i < rows.count; ++i) {
    if (is_marked(i)) continue;
    const std::int64_t row = array_->offset + rows.first + i;
    Decimal digits = 0;
    if (type_.storage == ArrowStorage::decimal32) {
      digits = number_at<std::int32_t>(array_->buffers[1], row);
    } else if (type_.storage == ArrowStorage::decimal64) {
      digits = number_at<std::int64_t>(array_->buffers[1], row);
    } else {
      digits = number_at<Decimal>(array_->buffers[1], row);
    }
    texts[static_cast<std::size_t>(i)] = decimal_text(digits, type_.decimal_places);
  }
  use_texts(std::move(texts));
}

void ArrowColumn::read_dates(ArrowRows rows) {
  std::vector<std::string> texts(static_cast<std::size_t>(rows.count));
  for (std::int64_t i = 0; i < rows.count; ++i) {
    if (is_marked(i)) continue;
    texts[static_cast<std::size_t>(i)] = date_at(array_->offset + rows.first + i);
  }
  use_texts(std::move(texts));
}

void ArrowColumn::use_texts(std::vector<std::string> texts) {
  storage_.made_texts = std::move(texts);
  storage_.texts.assign(storage_.made_texts.begin(), storage_.made_texts.end());
}

void ArrowColumn::read_booleans(ArrowRows rows) {
  storage_.whole.resize(static_cast<std::size_t>(rows.count));
  const std::int64_t first = array_->offset + rows.first;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    storage_.whole[static_cast<std::size_t>(i)] = bit_at(array_->buffers[1], first + i) ? 1 : 0;
  }
}

// Values that are stored as the library reads them; nullopt if they are not aligned.
template <typename Number>
std::optional<std::span<const Number>> ArrowColumn::values_in_place(ArrowRows rows) const {
  if (!is_aligned<Number>(array_->buffers[1])) return std::nullopt;
  const auto* values = static_cast<const Number*>(array_->buffers[1]);
  if (rows.count > 0) values += array_->offset + rows.first;
  return std::span<const Number>(values, static_cast<std::size_t>(rows.count));
}

MemoryColumn ArrowColumn::whole_cells(ArrowRows rows) {
  switch (type_.storage) {
    case ArrowStorage::int8:
      read_whole<std::int8_t>(rows);
      break;
    case ArrowStorage::int16:
      read_whole<std::int16_t>(rows);
      break;
    case ArrowStorage::int32:
      read_whole<std::int32_t>(rows);
      break;
    case ArrowStorage::uint8:
      read_whole<std::uint8_t>(rows);
      break;
    case ArrowStorage::uint16:
      read_whole<std::uint16_t>(rows);
      break;
    case ArrowStorage::uint32:
      read_whole<std::uint32_t>(rows);
      break;
    case ArrowStorage::uint64:
      read_wide_whole(rows);
      if (!storage_.texts.empty()) return {name_, Texts(storage_.texts), storage_.missing};
      break;
    default:
      if (const auto values = values_in_place<std::int64_t>(rows)) {
        return {name_, WholeNumbers(*values), storage_.missing};
      }
      read_whole<std::int64_t>(rows);
  }
  return {name_, WholeNumbers(storage_.whole), storage_.missing};
}

MemoryColumn ArrowColumn::real_cells(ArrowRows rows) {
  if (type_.storage == ArrowStorage::float16) {
    read_real<std::uint16_t>(rows);
  } else if (type_.storage == ArrowStorage::float32) {
    read_real<float>(rows);
  } else {
    if (const auto values = values_in_place<double>(rows)) {
      return {name_, Numbers(*values), storage_.missing};
    }
    read_real<double>(rows);
  }
  return {name_, Numbers(storage_.numbers), storage_.missing};
}

MemoryColumn ArrowColumn::text_cells(ArrowRows rows) {
  switch (type_.storage) {
    case ArrowStorage::text:
      read_texts<std::int32_t>(rows);
      break;
    case ArrowStorage::large_text:
      read_texts<std::int64_t>(rows);
      break;
    case ArrowStorage::text_view:
      read_views(rows);
      break;
    case ArrowStorage::decimal32:
    case ArrowStorage::decimal64:
    case ArrowStorage::decimal128:
      read_decimals(rows);
      break;
    default:
      read_dates(rows);
  }
  return {name_, Texts(storage_.texts), storage_.missing};
}

MemoryColumn ArrowColumn::plain_cells(ArrowRows rows) {
  mark_missing(rows);
  storage_.texts.clear();
  switch (kind_of(type_.storage)) {
    case ArrowKind::nothing:
      storage_.whole.assign(static_cast<std::size_t>(rows.count), 0);
      break;
    case ArrowKind::boolean:
      read_booleans(rows);
      break;
    case ArrowKind::whole:
      return whole_cells(rows);
    case ArrowKind::real:
      return real_cells(rows);
    case ArrowKind::decimal:
    case ArrowKind::text:
    case ArrowKind::date:
      return text_cells(rows);
    case ArrowKind::unreadable:
      refuse(fmt::format("{} cannot be read", type_.name));
  }
  return {name_, WholeNumbers(storage_.whole), storage_.missing};
}

// Each cell is the entry that its code names.
MemoryColumn ArrowColumn::dictionary_cells(ArrowRows rows) {
  static_cast<void>(plain_cells(rows));
  if (type_.storage == ArrowStorage::int64) read_whole<std::int64_t>(rows);
  if (!storage_.texts.empty()) refuse("a code of its dictionary is wrong");
  const auto count = static_cast<std::size_t>(rows.count);
  const std::size_t entries = entry_cells_.row_count();
  storage_.missing.resize(count);
  const auto gathered = [&](auto& out, const auto& cells) {
    out.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (storage_.missing[i] != 0) continue;
      const auto code = static_cast<std::size_t>(storage_.whole[i]);
      if (storage_.whole[i] < 0 || code >= entries) refuse("a code of its dictionary is wrong");
      if (!entry_cells_.missing.empty() && entry_cells_.missing[code] != 0) {
        storage_.missing[i] = 1;
        continue;
      }
      out[i] = cells[code];
    }
  };
  if (const auto* numbers = std::get_if<Numbers>(&entry_cells_.cells)) {
    gathered(storage_.numbers, *numbers);
    return {name_, Numbers(storage_.numbers), storage_.missing};
  }
  if (const auto* texts = std::get_if<Texts>(&entry_cells_.cells)) {
    gathered(storage_.texts, *texts);
    return {name_, Texts(storage_.texts), storage_.missing};
  }
  std::vector<std::int64_t> whole;
  gathered(whole, std::get<WholeNumbers>(entry_cells_.cells));
  storage_.whole = std::move(whole);
  return {name_, WholeNumbers(storage_.whole), storage_.missing};
}

MemoryColumn ArrowColumn::cells(ArrowRows rows) {
  return entries_ ? dictionary_cells(rows) : plain_cells(rows);
}

}  // namespace dpvi
