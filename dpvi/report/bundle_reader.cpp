#include <dpvi/report/bundle_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include <dpvi/base/error.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/posterior_json.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_missing(const std::string& path) {
  throw MissingInputError(kFileMissing, fmt::format("'{}' is not there or cannot be read.", path),
                          "Name the folder that 'dpvi fit --out' made.");
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path)) refuse_missing(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) refuse_missing(path);
  return text;
}

int line_of(std::string_view text, std::size_t position) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

// One JSON file of a bundle; its members are fetched by path, and refused by path and rule.
class JsonFile {
 public:
  explicit JsonFile(std::string path) : path_(std::move(path)) {
    const std::string text = read_whole(path_);
    try {
      root_ = Json::parse(text);
    } catch (const Json::parse_error& error) {
      const std::size_t position = error.byte > 0 ? error.byte - 1 : 0;
      refuse_damaged("this is not JSON.", {path_, line_of(text, position), 0});
    }
  }

  const Json& at(const char* pointer) const {
    const Json::json_pointer place(pointer);
    if (!root_.contains(place)) refuse(pointer, "is missing");
    return root_.at(place);
  }
  bool truth(const char* pointer) const {
    if (!at(pointer).is_boolean()) refuse(pointer, "is neither true nor false");
    return at(pointer).get<bool>();
  }
  std::string text(const char* pointer) const {
    if (!at(pointer).is_string()) refuse(pointer, "is not a text");
    return at(pointer).get<std::string>();
  }
  double number(const char* pointer) const { return number_in(at(pointer), pointer); }
  std::vector<double> numbers(const char* pointer) const {
    return numbers_in(at(pointer), pointer);
  }
  // A matrix with as many rows as there are means, row by row.
  std::vector<double> matrix(const char* pointer, std::size_t rows) const {
    const Json& list = at(pointer);
    if (!list.is_array() || list.size() != rows) refuse(pointer, "has another size than mean");
    std::vector<double> result;
    for (const Json& row : list) {
      const std::vector<double> entries = numbers_in(row, pointer);
      if (entries.empty() || entries.size() != list[0].size()) {
        refuse(pointer, "has rows of another size than the first");
      }
      result.insert(result.end(), entries.begin(), entries.end());
    }
    return result;
  }
  std::vector<std::string> texts(const char* pointer) const {
    std::vector<std::string> result;
    if (!at(pointer).is_array()) refuse(pointer, "is not a list");
    for (const Json& item : at(pointer)) {
      if (!item.is_string()) refuse(pointer, "holds something else than texts");
      result.push_back(item.get<std::string>());
    }
    return result;
  }

  [[noreturn]] void refuse(const char* pointer, const char* rule) const {
    refuse_damaged(fmt::format("the value at '{}' {}.", pointer + 1, rule), {path_, 0, 0});
  }

 private:
  double number_in(const Json& value, const char* pointer) const {
    if (value.is_number()) return value.get<double>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value == "Inf") return kInfinity;
    if (value == "-Inf") return -kInfinity;
    refuse(pointer, "is not a number");
  }
  std::vector<double> numbers_in(const Json& list, const char* pointer) const {
    if (!list.is_array()) refuse(pointer, "is not a list");
    std::vector<double> result;
    for (const Json& value : list) result.push_back(number_in(value, pointer));
    return result;
  }

  std::string path_;
  Json root_;
};

PrivacyStamp read_stamp(const std::string& path) {
  const JsonFile file(path);
  PrivacyStamp stamp;
  stamp.is_private = file.truth("/private");
  if (!stamp.is_private) return stamp;
  stamp.epsilon = file.number("/epsilon");
  stamp.delta = file.number("/delta");
  stamp.adjacency = file.text("/adjacency");
  if (!(*stamp.epsilon >= 0.0 && std::isfinite(*stamp.epsilon))) {
    file.refuse("/epsilon", "is not a finite number from 0");
  }
  if (!(*stamp.delta >= 0.0 && *stamp.delta < 1.0)) {
    file.refuse("/delta", "is not from 0 and below 1");
  }
  return stamp;
}

FamilyKind read_family(const JsonFile& file) {
  const std::string name = file.text("/family");
  for (const FamilyKind kind : kFamilies) {
    if (name == name_of(kind)) return kind;
  }
  file.refuse("/family", "is neither mean-field nor low-rank nor full-rank");
}

struct FittedGaussian {
  GaussianFamily family;
  std::vector<double> parameters;
};

FittedGaussian read_full_rank(const JsonFile& file, std::span<const double> mean) {
  const std::vector<double> factor = file.matrix("/unconstrained/cholesky", mean.size());
  if (factor.size() != mean.size() * mean.size()) {
    file.refuse("/unconstrained/cholesky", "has another size than mean");
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (factor[i * mean.size() + i] <= 0.0) {
      file.refuse("/unconstrained/cholesky", "has a diagonal that is not positive");
    }
  }
  const GaussianFamily family(FamilyKind::full_rank, mean.size());
  return {family, family.parameters(mean, factor)};
}

FittedGaussian read_gaussian(const JsonFile& file, std::span<const double> mean) {
  const FamilyKind kind = read_family(file);
  if (kind == FamilyKind::full_rank) return read_full_rank(file, mean);
  const std::vector<double> scale = file.numbers("/unconstrained/scale");
  if (scale.size() != mean.size())
    file.refuse("/unconstrained/scale", "has another size than mean");
  if (std::any_of(scale.begin(), scale.end(), [](double entry) { return entry <= 0.0; })) {
    file.refuse("/unconstrained/scale", "is not positive");
  }
  if (kind == FamilyKind::mean_field) {
    const GaussianFamily family(kind, mean.size());
    return {family, family.parameters_of_scales(mean, scale)};
  }
  const std::vector<double> columns = file.matrix("/unconstrained/factor", mean.size());
  const GaussianFamily family(kind, mean.size(), columns.size() / mean.size());
  return {family, family.parameters(mean, scale, columns)};
}

Posterior read_posterior(const std::string& path) {
  const JsonFile file(path);
  const std::vector<double> mean = file.numbers("/unconstrained/mean");
  std::vector<std::string> names = file.texts("/unconstrained/names");
  if (mean.empty()) file.refuse("/unconstrained/mean", "is empty");
  if (names.size() != mean.size()) {
    file.refuse("/unconstrained/names", "has another size than mean");
  }
  FittedGaussian gaussian = read_gaussian(file, mean);
  return {.is_private = file.truth("/private"),
          .family = gaussian.family,
          .family_parameters = std::move(gaussian.parameters),
          .unconstrained_names = std::move(names),
          .status = file.text("/trace/status"),
          .r_hat = file.numbers("/trace/r_hat"),
          .output_sd = file.numbers("/trace/output_mean_sd"),
          .iterate_size = file.numbers("/trace/effective_size")};
}

}  // namespace

Bundle read_bundle(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) refuse_missing(folder.string());
  if (!std::filesystem::is_directory(folder)) {
    refuse_damaged("this is not a folder; a bundle is one.", {folder.string(), 0, 0});
  }
  const std::string draws_path = (folder / "draws.csv").string();
  const std::string posterior_path = (folder / "posterior.json").string();
  Bundle bundle{read_stamp((folder / "statement.json").string()), read_posterior(posterior_path),
                parse_stan_csv(read_whole(draws_path), draws_path)};
  const auto require_same_stamp = [&](bool stamp, const std::string& path) {
    if (stamp != bundle.stamp.is_private) {
      refuse_damaged("this file and statement.json disagree on whether the result is private.",
                     {path, 0, 0});
    }
  };
  if (bundle.posterior.output_sd.size() != bundle.draws.columns.size()) {
    refuse_damaged("'trace/output_mean_sd' has another size than draws.csv has columns.",
                   {posterior_path, 0, 0});
  }
  require_same_stamp(bundle.posterior.is_private, posterior_path);
  require_same_stamp(bundle.draws.is_private, draws_path);
  return bundle;
}

}  // namespace dpvi
