#include "points_file.hpp"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <dpvi/base/error.hpp>
#include <dpvi/data/number_parser.hpp>
#include <dpvi/data/text_file.hpp>

namespace dpvi::cli {
namespace {

SourcePlace offset_place(std::size_t offset, std::string_view text, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(before.size() - line_start) + 1};
}

class PointsHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, PointsHandler> {
 public:
  PointsHandler(std::string_view text, std::string file, const rapidjson::StringStream& stream,
                std::size_t dimension)
      : text_(text), file_(std::move(file)), stream_(stream), dimension_(dimension) {}

  bool StartArray() {
    if (++depth_ > 2) refuse(kBadJson, "a point contains a list");
    if (depth_ == 2) points_.emplace_back();
    return true;
  }

  bool EndArray(rapidjson::SizeType) {
    if (depth_ == 2 && points_.back().size() != dimension_) {
      refuse(kBadShape, fmt::format("point {} has {} numbers; theta has {}", points_.size(),
                                    points_.back().size(), dimension_));
    }
    --depth_;
    return true;
  }

  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view cell(text, length);
    if (depth_ != 2) refuse(kBadJson, "a number is outside a point");
    const double number = parse_number(cell).value_or(NAN);
    if (!std::isfinite(number)) refuse(kBadJson, "a number is not finite");
    points_.back().push_back(number);
    return true;
  }

  // Called for every other kind of JSON value.
  bool Default() { refuse(kBadJson, "an element is neither a list nor a number"); }

  Points take() { return std::move(points_); }

 private:
  [[noreturn]] void refuse(const ErrorCode& code, const std::string& what) const {
    throw InputError(code, fmt::format("{}.", what),
                     fmt::format("Write a list of points, each a list of {} numbers.", dimension_),
                     offset_place(stream_.Tell(), text_, file_));
  }

  std::string_view text_;
  std::string file_;
  const rapidjson::StringStream& stream_;
  std::size_t dimension_;
  int depth_ = 0;
  Points points_;
};

}  // namespace

Points read_points(const std::string& path, std::size_t dimension) {
  const std::string text = read_whole_file(path);
  rapidjson::StringStream stream(text.c_str());
  PointsHandler handler(text, path, stream, dimension);
  rapidjson::Reader reader;
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, handler);
  if (result.IsError()) {
    throw InputError(kBadJson,
                     fmt::format("not JSON: {}", rapidjson::GetParseError_En(result.Code())),
                     "Correct the file.", offset_place(result.Offset(), text, path));
  }
  return handler.take();
}

}  // namespace dpvi::cli
