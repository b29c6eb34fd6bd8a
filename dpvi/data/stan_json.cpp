#include <dpvi/data/stan_json.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <dpvi/data/number_text.hpp>
#include <dpvi/data/text_file.hpp>

namespace dpvi {
namespace {

// Places in a text, asked for in ascending order, so that a long file is walked once.
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

// The text with every bare number put in quotes. A JSON reader that converts numbers itself stops
// at 1e400 or a word like NaN, and so would tell the world what a cell contains.
class QuotedNumbers {
 public:
  using Ch = char;

  explicit QuotedNumbers(std::string_view text) : text_(text) { look(); }

  char Peek() const { return quote_due_ ? '"' : here(); }

  char Take() {
    const char taken = Peek();
    if (quote_due_) {
      quote_due_ = false;
      in_number_ = !in_number_;
      last_was_number_ = !in_number_;
      if (!in_number_) look();
      return taken;
    }
    advance(taken);
    return taken;
  }

  std::size_t Tell() const { return at_; }
  // Whether the string that ended last was a bare number.
  bool last_was_number() const { return last_was_number_; }

  // Never called: the reader writes into its own stack.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void advance(char taken) {
    ++at_;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (taken == '\\') {
        escaped_ = true;
      } else if (taken == '"') {
        in_string_ = false;
        last_was_number_ = false;
        look();
      }
      return;
    }
    if (!in_number_ && taken == '"') {
      in_string_ = true;
      return;
    }
    look();
  }

  // Whether a quote has to be slipped in before the byte at hand.
  void look() {
    constexpr std::string_view kStarts = "-0123456789NI";
    constexpr std::string_view kInside =
        "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char byte = here();
    const std::string_view wanted = in_number_ ? kInside : kStarts;
    const bool belongs = byte != '\0' && wanted.find(byte) != std::string_view::npos;
    quote_due_ = belongs != in_number_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool quote_due_ = false;
  bool in_number_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
  bool last_was_number_ = false;
};

class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
 public:
  Handler(PlaceFinder places, const QuotedNumbers& stream, const WantsValue& wants_value)
      : places_(std::move(places)), stream_(stream), wants_value_(wants_value) {}

  bool StartObject() {
    if (inside_) refuse(kBadJson, "an object inside the object; Stan data are numbers and lists.");
    inside_ = true;
    return true;
  }

  bool EndObject(rapidjson::SizeType) { return true; }

  bool Key(const char* name, rapidjson::SizeType length, bool) {
    if (stream_.last_was_number()) refuse(kBadJson, "a name must be in quotes.");
    const auto [entry, added] = data_.try_emplace(std::string(name, length));
    name_ = entry->first;
    if (!added) refuse(kBadJson, fmt::format("'{}' is there twice.", name_));
    variable_ = &entry->second;
    keeps_cells_ = wants_value_(name_);
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
    // The first list to end at a depth is the innermost one; it says how long all are there.
    if (extents.size() < depth_) extents.resize(depth_, kUnknown);
    std::size_t& extent = extents[depth_ - 1];
    if (extent == kUnknown) extent = count;
    if (extent != count) refuse_ragged();
    if (--depth_ == 0 && keeps_cells_) variable_->dimensions = dimensions_;
    return true;
  }

  bool String(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view cell(text, length);
    if (stream_.last_was_number() && !parse_number(cell)) refuse(kBadJson, "this is no number.");
    return leaf(cell);
  }
  bool Null() { return leaf(""); }
  bool Bool(bool value) { return leaf(value ? "true" : "false"); }

  JsonData take() { return std::move(data_); }

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  void count_element() {
    if (!inside_) refuse(kBadJson, "Stan data are one object: {\"N\": 3, ...}.");
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
    refuse(kBadShape, fmt::format("the lists of '{}' have unequal lengths.", name_));
  }

  [[noreturn]] void refuse(const ErrorCode& code, const std::string& message) {
    throw InputError(code, message, "Correct the file.", places_.at(stream_.Tell()));
  }

  PlaceFinder places_;
  const QuotedNumbers& stream_;
  const WantsValue& wants_value_;
  bool inside_ = false;
  JsonData data_;
  std::string name_;
  JsonVariable* variable_ = nullptr;
  bool keeps_cells_ = true;
  std::vector<std::size_t> dimensions_;  // of the variable at hand, as far as they are known
  std::size_t depth_ = 0;
  std::optional<std::size_t> leaf_depth_;
  std::vector<std::size_t> counts_;  // elements so far of each open list
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
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    throw InputError(kBadJson, "there is a NUL byte; this is a binary file or UTF-16 text.",
                     "Save the data as JSON in UTF-8.", PlaceFinder(text, file).at(nul));
  }
  QuotedNumbers stream(text);
  Handler handler(PlaceFinder(text, file), stream, wants_value);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler);
  if (result.IsError()) {
    throw InputError(kBadJson,
                     fmt::format("not JSON: {}", rapidjson::GetParseError_En(result.Code())),
                     "Correct the file.", PlaceFinder(text, file).at(result.Offset()));
  }
  return handler.take();
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
      throw InputError(kBadPublicValue, fmt::format("'{}' has an element that is no number.", name),
                       "Write numbers, \"NaN\", \"Inf\" or \"-Inf\".", variable.place);
    }
    value.integers = value.integers && parse_integer(variable.cell(i)).has_value();
    value.numbers.push_back(*number);
  }
  return value;
}

}  // namespace dpvi
