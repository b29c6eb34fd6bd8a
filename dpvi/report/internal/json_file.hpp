#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

[[noreturn]] void refuse_unreadable(const std::string& path, int error_number);

// Throws unless there is a folder of this name.
void require_bundle(const std::filesystem::path& folder);

// A bundle is read as if a stranger had made it: these limits apply before memory is reserved.
inline constexpr std::uintmax_t kLargestBundleFile = std::uintmax_t{1} << 32;
inline constexpr std::uintmax_t kLargestJsonFile = std::uintmax_t{1} << 28;
inline constexpr std::uintmax_t kLargestManifest = std::uintmax_t{1} << 20;

// Reads the text of a file of a bundle. Throws MissingInputError if the file is missing, and
// InputError if it is a link, a pipe or anything else but a regular file, or is too large.
std::string read_bundle_file(const std::string& path, std::uintmax_t largest = kLargestBundleFile);

// One JSON file of a bundle. Members are read by path, and errors name the path and the rule.
class JsonFile {
 public:
  using Json = nlohmann::json;

  explicit JsonFile(const std::string& path);
  // `path` is for messages.
  JsonFile(std::string path, std::string_view text);

  bool has(const char* pointer) const { return root_.contains(Json::json_pointer(pointer)); }
  const Json& root() const { return root_; }
  const Json& at(const char* pointer) const;
  bool truth(const char* pointer) const;
  std::string text(const char* pointer) const;
  double number(const char* pointer) const { return number_in(at(pointer), pointer); }
  std::vector<double> numbers(const char* pointer) const {
    return numbers_in(at(pointer), pointer);
  }
  // A matrix with `rows` rows, row-major.
  std::vector<double> matrix(const char* pointer, std::size_t rows) const;
  std::vector<std::string> texts(const char* pointer) const {
    return texts_in(at(pointer), pointer);
  }

  // The same for a value inside the one that `pointer` names.
  double number_in(const Json& value, const char* pointer) const;
  std::vector<double> numbers_in(const Json& list, const char* pointer) const;
  std::vector<std::string> texts_in(const Json& list, const char* pointer) const;

  [[noreturn]] void refuse(const char* pointer, const char* rule) const;

 private:
  std::string path_;
  Json root_;
};

}  // namespace dpvi
