#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dpvi {

// Throws unless there is a folder of this name.
void require_bundle(const std::filesystem::path& folder);

// The text of a file of a bundle; MissingInputError if it is not there.
std::string read_bundle_file(const std::string& path);

// One JSON file of a bundle; its members are fetched by path, and refused by path and rule.
class JsonFile {
 public:
  using Json = nlohmann::json;

  explicit JsonFile(std::string path);

  const Json& at(const char* pointer) const;
  bool truth(const char* pointer) const;
  std::string text(const char* pointer) const;
  double number(const char* pointer) const { return number_in(at(pointer), pointer); }
  std::vector<double> numbers(const char* pointer) const {
    return numbers_in(at(pointer), pointer);
  }
  // A matrix with as many rows as there are means, row by row.
  std::vector<double> matrix(const char* pointer, std::size_t rows) const;
  std::vector<std::string> texts(const char* pointer) const {
    return texts_in(at(pointer), pointer);
  }

  // The same of a value inside the one that `pointer` names.
  double number_in(const Json& value, const char* pointer) const;
  std::vector<double> numbers_in(const Json& list, const char* pointer) const;
  std::vector<std::string> texts_in(const Json& list, const char* pointer) const;

  [[noreturn]] void refuse(const char* pointer, const char* rule) const;

 private:
  std::string path_;
  Json root_;
};

}  // namespace dpvi
