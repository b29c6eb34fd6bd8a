#include <dpvi/experiment/published_file.hpp>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/experiment/experiment_errors.hpp>

namespace dpvi {
namespace {

std::string where_to_get(const PublishedFile& file) {
  return fmt::format("Get {} from the UCI Machine Learning Repository, {}.", file.name, file.page);
}

}  // namespace

std::string read_published_file(const std::filesystem::path& folder, const PublishedFile& file) {
  const std::filesystem::path path = folder / file.name;
  std::string bytes;
  try {
    bytes = read_whole_file(path.string());
  } catch (const MissingInputError& error) {
    throw MissingInputError(error.code(), error.message(), where_to_get(file));
  }
  const std::string hash = sha256_hex(bytes);
  if (hash == file.sha256) return bytes;
  throw InputError(
      kOtherDataFile,
      fmt::format("the file has SHA-256 {}; the published one has {}.", hash, file.sha256),
      where_to_get(file), {path.string(), 0, 0});
}

}  // namespace dpvi
