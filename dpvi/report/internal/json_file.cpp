#include <dpvi/report/internal/json_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/report/bundle_damage.hpp>

namespace dpvi {
namespace {

int line_of(std::string_view text, std::size_t position) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

}  // namespace

void refuse_unreadable(const std::string& path, int error_number) {
  throw MissingInputError(kFileMissing,
                          fmt::format("'{}' cannot be read: {}.", path, error_text(error_number)),
                          "Give the folder that 'dpvi fit --out' wrote.");
}

void require_bundle(const std::filesystem::path& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) refuse_unreadable(folder.string(), errno);
  if (!S_ISDIR(found.st_mode)) {
    refuse_damaged("this is not a folder; a bundle is a folder.", {folder.string(), 0, 0});
  }
}

std::string read_bundle_file(const std::string& path, std::uintmax_t largest) {
  // Neither follows a link nor waits for a pipe.
  const OpenFile file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open() && errno != ELOOP) refuse_unreadable(path, errno);
  struct stat found {};
  if (file.is_open() && ::fstat(file.number(), &found) != 0) refuse_unreadable(path, errno);
  if (!file.is_open() || !S_ISREG(found.st_mode)) {
    refuse_damaged("this is not a regular file; nothing else of a bundle is opened.", {path, 0, 0});
  }
  const auto size = static_cast<std::uintmax_t>(found.st_size);
  if (size > largest) {
    refuse_damaged(fmt::format("the file has {} bytes; at most {} are read.", size, largest),
                   {path, 0, 0});
  }
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto got = file.read(text.data() + filled, text.size() - filled);
    if (!got) refuse_unreadable(path, errno);
    if (*got == 0) break;
    filled += *got;
  }
  text.resize(filled);
  return text;
}

JsonFile::JsonFile(const std::string& path)
    : JsonFile(path, read_bundle_file(path, kLargestJsonFile)) {}

JsonFile::JsonFile(std::string path, std::string_view text) : path_(std::move(path)) {
  constexpr int kDeepest = 32;
  constexpr std::size_t kMostParts = std::size_t{1} << 24;
  std::size_t parts = 0;
  const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) refuse_damaged("the JSON is nested too deeply.", {path_, 0, 0});
    if (++parts > kMostParts) refuse_damaged("the JSON has too many values.", {path_, 0, 0});
    return true;
  };
  try {
    root_ = Json::parse(text, limit_depth);
  } catch (const Json::parse_error& error) {
    const std::size_t position = error.byte > 0 ? error.byte - 1 : 0;
    refuse_damaged("this is not JSON.", {path_, line_of(text, position), 0});
  }
}

const JsonFile::Json& JsonFile::at(const char* pointer) const {
  const Json::json_pointer place(pointer);
  if (!root_.contains(place)) refuse(pointer, "is missing");
  return root_.at(place);
}

bool JsonFile::truth(const char* pointer) const {
  if (!at(pointer).is_boolean()) refuse(pointer, "is neither true nor false");
  return at(pointer).get<bool>();
}

std::string JsonFile::text(const char* pointer) const {
  if (!at(pointer).is_string()) refuse(pointer, "is not a string");
  return at(pointer).get<std::string>();
}

std::vector<double> JsonFile::matrix(const char* pointer, std::size_t rows) const {
  const Json& list = at(pointer);
  if (!list.is_array() || list.size() != rows) refuse(pointer, "differs from mean in size");
  std::vector<double> result;
  for (const Json& row : list) {
    const std::vector<double> entries = numbers_in(row, pointer);
    if (entries.empty() || entries.size() != list[0].size()) {
      refuse(pointer, "has rows of unequal sizes");
    }
    result.insert(result.end(), entries.begin(), entries.end());
  }
  return result;
}

double JsonFile::number_in(const Json& value, const char* pointer) const {
  if (value.is_number()) return value.get<double>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Inf") return kInfinity;
  if (value == "-Inf") return -kInfinity;
  refuse(pointer, "is not a number");
}

std::vector<double> JsonFile::numbers_in(const Json& list, const char* pointer) const {
  if (!list.is_array()) refuse(pointer, "is not a list");
  std::vector<double> result;
  for (const Json& value : list) result.push_back(number_in(value, pointer));
  return result;
}

std::vector<std::string> JsonFile::texts_in(const Json& list, const char* pointer) const {
  std::vector<std::string> result;
  if (!list.is_array()) refuse(pointer, "is not a list");
  for (const Json& item : list) {
    if (!item.is_string()) refuse(pointer, "has an element that is not a string");
    result.push_back(item.get<std::string>());
  }
  return result;
}

void JsonFile::refuse(const char* pointer, const char* rule) const {
  refuse_damaged(fmt::format("the value at '{}' {}.", pointer + 1, rule), {path_, 0, 0});
}

}  // namespace dpvi
