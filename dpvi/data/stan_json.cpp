#include <dpvi/data/stan_json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <dpvi/data/number_parser.hpp>
#include <dpvi/data/text_file.hpp>

namespace dpvi {
namespace {

// Converts offsets in a text to line and column. Offsets must ascend, so that a long file is
// scanned once.
class PlaceFinder {
 public:
  PlaceFinder(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  SourcePlace at(std::size_t offset) {
    for (; walked_ < std::min(offset, text_.size()); ++walked_) {
      if (text_[walked_] != '\n') continue;
      ++line_;
      line_start_ = walked_ + 1;
    }
    return {file_, line_, static_cast<int>(offset - std::min(offset, line_start_)) + 1};
  }

 private:
  std::string_view text_;
  std::string file_;
  std::size_t walked_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

// Presents a text to the JSON reader with every bare number or word in quotes, and with every byte
// replaced that would stop the reader inside a string. Cell contents must not decide whether the
// file is accepted. A reader that converts numbers itself would stop at 1e400, NaN or 1.2.3. Inside
// strings readers stop at control bytes, unknown escapes and unpaired surrogates.
class LenientText {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names of the reader's stream concept.
  using Ch = char;

  explicit LenientText(std::string_view text) : text_(text) { look(); }

  char Peek() const {
    if (quote_due_) return '"';
    return in_string_ && stops_reader() ? kReplacement : here();
  }

  char Take() {
    const char taken = Peek();
    if (quote_due_) {
      quote_due_ = false;
      in_word_ = !in_word_;
      last_was_word_ = !in_word_;
      if (!in_word_) look();
      return taken;
    }
    advance(taken);
    return taken;
  }

  std::size_t Tell() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  // True if the last string to end was a bare number or word.
  bool last_was_word() const { return last_was_word_; }

  // Required by the stream concept but never called: the reader writes to its own stack.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }
  // NOLINTEND(readability-identifier-naming)

 private:
  // Replaces one byte that JSON forbids in strings. A cell that contains it is not a number.
  static constexpr char kReplacement = '\x7f';

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool stops_reader() const {
    if (at_ == text_.size()) return false;
    if (here() == '\\' && !escaped_) return !escape_exists();
    return static_cast<unsigned char>(here()) < 0x20;
  }

  // Returns the code unit of a \u escape at `place`, or nullopt if there is none.
  std::optional<unsigned> code_unit(std::size_t place) const {
    if (text_.substr(place, 2) != "\\u" || place + 6 > text_.size()) return std::nullopt;
    unsigned unit = 0;
    const char* const end = text_.data() + place + 6;
    const auto read = std::from_chars(end - 4, end, unit, 16);
    return read.ec == std::errc() && read.ptr == end ? std::optional(unit) : std::nullopt;
  }

  // Call at a backslash.
  bool escape_exists() const {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    if (at_ + 1 < text_.size() && kEscapes.find(text_[at_ + 1]) != std::string_view::npos) {
      return true;
    }
    const auto in = [](std::optional<unsigned> unit, unsigned first, unsigned last) {
      return unit && *unit >= first && *unit <= last;
    };
    const std::optional<unsigned> unit = code_unit(at_);
    if (!in(unit, 0xD800, 0xDFFF)) return unit.has_value();
    if (in(unit, 0xD800, 0xDBFF)) return in(code_unit(at_ + 6), 0xDC00, 0xDFFF);
    return at_ == second_half_;
  }

  void advance(char taken) {
    ++at_;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (taken == '\\') {
        escaped_ = true;
        second_half_ = at_ + 5;  // of a surrogate pair, if this is its first half
      } else if (taken == '"') {
        in_string_ = false;
        last_was_word_ = false;
        look();
      }
      return;
    }
    if (!in_word_ && taken == '"') {
      in_string_ = true;
      return;
    }
    look();
  }

  // Determines whether a quote must be inserted before the current byte.
  void look() {
    constexpr std::string_view kWord =
        "+-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char byte = here();
    const bool belongs = byte != '\0' && kWord.find(byte) != std::string_view::npos;
    quote_due_ = belongs != in_word_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t second_half_ = 0;
  bool quote_due_ = false;
  bool in_word_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
  bool last_was_word_ = false;
};

class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
 public:
  Handler(PlaceFinder places, const LenientText& stream, const WantsValue& wants_value)
      : places_(std::move(places)), stream_(stream), wants_value_(wants_value) {}

  bool StartObject() {
    if (inside_)
      refuse(kBadJson, "an object is inside the object; Stan data are numbers and lists.");
    inside_ = true;
    return true;
  }

  bool EndObject(rapidjson::SizeType) { return true; }

  bool Key(const char* name, rapidjson::SizeType length, bool) {
    if (stream_.last_was_word()) refuse(kBadJson, "a name must be in quotes.");
    const auto [entry, added] = data_.try_emplace(std::string(name, length));
    if (!added) refuse(kBadJson, "the name that ends here is given twice.");
    variable_ = &entry->second;
    keeps_cells_ = wants_value_(entry->first);
    dimensions_.clear();
    const std::size_t key_length = std::min<std::size_t>(stream_.Tell(), length + 2);
    variable_->place = places_.at(stream_.Tell() - key_length);
    depth_ = 0;
    leaf_depth_.reset();
    counts_.clear();
    return true;
  }

  bool StartArray() {
    constexpr std::size_t kDeepest = 32;
    count_element();
    if (leaf_depth_ && depth_ >= *leaf_depth_) refuse_ragged();
    if (++depth_ > kDeepest) refuse(kBadJson, "lists are nested too deeply.");
    counts_.push_back(0);
    return true;
  }

  bool EndArray(rapidjson::SizeType) {
    std::vector<std::size_t>& extents = dimensions_;
    const std::size_t count = counts_.back();
    counts_.pop_back();
    // The first list to end at a depth is the innermost one; it fixes the length for that depth.
    if (extents.size() < depth_) extents.resize(depth_, kUnknown);
    std::size_t& extent = extents[depth_ - 1];
    if (extent == kUnknown) extent = count;
    if (extent != count) refuse_ragged();
    if (--depth_ == 0 && keeps_cells_) variable_->dimensions = dimensions_;
    return true;
  }

  bool String(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view cell(text, length);
    return leaf(stream_.last_was_word() && cell == "null" ? "" : cell);
  }

  JsonData take() { return std::move(data_); }

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  void count_element() {
    if (!inside_) refuse(kBadJson, "the data must be one object: {\"N\": 3, ...}.");
    if (!counts_.empty()) ++counts_.back();
  }

  bool leaf(std::string_view text) {
    count_element();
    if (!leaf_depth_) leaf_depth_ = depth_;
    if (*leaf_depth_ != depth_ || dimensions_.size() > depth_) refuse_ragged();
    if (keeps_cells_) variable_->append(text);
    return true;
  }

  [[noreturn]] void refuse_ragged() {
    refuse(kBadShape, "the lists of this variable have unequal lengths.");
  }

  [[noreturn]] void refuse(const ErrorCode& code, const std::string& message) {
    throw InputError(code, message, "Correct the file.", places_.at(stream_.Tell()));
  }

  PlaceFinder places_;
  const LenientText& stream_;
  const WantsValue& wants_value_;
  bool inside_ = false;
  JsonData data_;
  JsonVariable* variable_ = nullptr;
  bool keeps_cells_ = true;
  std::vector<std::size_t> dimensions_;  // of the current variable, as far as known
  std::size_t depth_ = 0;
  std::optional<std::size_t> leaf_depth_;
  std::vector<std::size_t> counts_;  // elements so far in each open list
};

}  // namespace

std::string_view JsonVariable::cell(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(texts_).substr(begin, ends_[index] - begin);
}

void JsonVariable::append(std::string_view text) {
  texts_ += text;
  ends_.push_back(texts_.size());
}

JsonData parse_stan_json(std::string_view text, const std::string& file) {
  return parse_stan_json(text, file, [](const std::string&) { return true; });
}

JsonData parse_stan_json(std::string_view text, const std::string& file,
                         const WantsValue& wants_value) {
  LenientText stream(text);
  Handler handler(PlaceFinder(text, file), stream, wants_value);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler);
  if (!result.IsError() && stream.at_end()) return handler.take();
  const std::size_t offset = result.IsError() ? result.Offset() : stream.Tell();
  if (offset < text.size() && text[offset] == '\0') {
    throw InputError(kBadJson,
                     "the file contains a NUL byte; this is a binary file or UTF-16 text.",
                     "Save the data as JSON in UTF-8.", PlaceFinder(text, file).at(offset));
  }
  throw InputError(kBadJson,
                   fmt::format("not JSON: {}", rapidjson::GetParseError_En(result.Code())),
                   "Correct the file.", PlaceFinder(text, file).at(offset));
}

JsonData read_stan_json(const std::string& path) {
  return parse_stan_json(read_whole_file(path), path);
}

JsonData read_stan_json(const std::string& path, const WantsValue& wants_value) {
  return parse_stan_json(read_whole_file(path), path, wants_value);
}

PublicValue public_value(const std::string& name, const JsonVariable& variable) {
  PublicValue value;
  value.integers = true;
  value.dimensions = variable.dimensions;
  value.source = variable.place.file;
  value.place = variable.place;
  for (std::size_t i = 0; i < variable.size(); ++i) {
    const std::optional<double> number = parse_number(variable.cell(i));
    if (!number) {
      throw InputError(kBadPublicValue,
                       fmt::format("{} has an element that is not a number.",
                                   name.empty() ? "this variable" : fmt::format("'{}'", name)),
                       "Write numbers, \"NaN\", \"Inf\" or \"-Inf\".", variable.place);
    }
    value.integers = value.integers && parse_integer(variable.cell(i)).has_value();
    value.numbers.push_back(*number);
  }
  return value;
}

}  // namespace dpvi
