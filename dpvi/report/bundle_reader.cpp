#include <dpvi/report/bundle_reader.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <dpvi/family/make_family.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {
namespace {

PrivacyStamp read_stamp(const std::string& path) {
  const JsonFile file(path);
  PrivacyStamp stamp;
  stamp.is_private = file.truth("/private");
  if (!stamp.is_private) return stamp;
  stamp.epsilon = file.number("/epsilon");
  stamp.delta = file.number("/delta");
  stamp.adjacency = file.text("/adjacency");
  if (!(*stamp.epsilon >= 0.0 && std::isfinite(*stamp.epsilon))) {
    file.refuse("/epsilon", "is not a finite number of at least 0");
  }
  if (!(*stamp.delta >= 0.0 && *stamp.delta < 1.0)) {
    file.refuse("/delta", "is not at least 0 and below 1");
  }
  return stamp;
}

FamilyKind read_family(const JsonFile& file) {
  const std::string name = file.text("/family");
  for (const FamilyKind kind : kFamilies) {
    if (name == name_of(kind)) return kind;
  }
  std::string rule;
  for (const FamilyKind kind : kFamilies) {
    rule.append(rule.empty() ? "is neither " : " nor ").append(name_of(kind));
  }
  file.refuse("/family", rule.c_str());
}

std::vector<double> read_scales(const JsonFile& file, const char* pointer, std::size_t dimension) {
  std::vector<double> scales = file.numbers(pointer);
  if (scales.size() != dimension) file.refuse(pointer, "differs from mean in size");
  if (std::ranges::any_of(scales, [](double entry) { return entry <= 0.0; })) {
    file.refuse(pointer, "is not positive");
  }
  return scales;
}

std::vector<double> read_triangle(const JsonFile& file, const char* pointer,
                                  std::size_t dimension) {
  std::vector<double> triangle = file.matrix(pointer, dimension);
  if (triangle.size() != dimension * dimension) file.refuse(pointer, "differs from mean in size");
  for (std::size_t i = 0; i < dimension; ++i) {
    if (triangle[i * dimension + i] <= 0.0) {
      file.refuse(pointer, "has a diagonal that is not positive");
    }
  }
  return triangle;
}

std::vector<double> read_part(const JsonFile& file, const FactorPart& part, std::size_t dimension) {
  const std::string pointer = "/unconstrained/" + std::string(part.name);
  switch (part.shape) {
    case PartShape::scales:
      return read_scales(file, pointer.c_str(), dimension);
    case PartShape::triangle:
      return read_triangle(file, pointer.c_str(), dimension);
    case PartShape::columns:
      break;
  }
  return file.matrix(pointer.c_str(), dimension);
}

struct FittedGaussian {
  SharedFamily family;
  std::vector<double> parameters;
};

FittedGaussian read_gaussian(const JsonFile& file, std::span<const double> mean) {
  const FamilyKind kind = read_family(file);
  std::vector<std::vector<double>> parts;
  std::size_t rank = 0;
  for (const FactorPart& part : description_of(kind).parts) {
    parts.push_back(read_part(file, part, mean.size()));
    if (part.shape == PartShape::columns) rank = parts.back().size() / mean.size();
  }
  const SharedFamily family = make_family(kind, mean.size(), rank);
  return {family, family->parameters(mean, parts)};
}

Posterior read_posterior(const std::string& path) {
  const JsonFile file(path);
  const std::vector<double> mean = file.numbers("/unconstrained/mean");
  std::vector<std::string> names = file.texts("/unconstrained/names");
  if (mean.empty()) file.refuse("/unconstrained/mean", "is empty");
  if (names.size() != mean.size()) {
    file.refuse("/unconstrained/names", "differs from mean in size");
  }
  FittedGaussian gaussian = read_gaussian(file, mean);
  return {.is_private = file.truth("/private"),
          .family = gaussian.family,
          .family_parameters = std::move(gaussian.parameters),
          .unconstrained_names = std::move(names),
          .status = file.text("/trace/status"),
          .r_hat = file.numbers("/trace/r_hat"),
          .output_sd = file.numbers("/trace/output_mean_sd"),
          .effective_sample_size = file.numbers("/trace/effective_size")};
}

}  // namespace

Bundle read_bundle(const std::filesystem::path& folder) {
  require_bundle(folder);
  const std::string draws_path = (folder / "draws.csv").string();
  const std::string posterior_path = (folder / "posterior.json").string();
  Bundle bundle{read_stamp((folder / "statement.json").string()), read_posterior(posterior_path),
                parse_stan_csv(read_bundle_file(draws_path), draws_path)};
  const auto require_same_stamp = [&](bool stamp, const std::string& path) {
    if (stamp != bundle.stamp.is_private) {
      refuse_damaged("this file and statement.json disagree on whether the result is private.",
                     {path, 0, 0});
    }
  };
  if (bundle.posterior.output_sd.size() != bundle.draws.columns.size()) {
    refuse_damaged(
        "the size of 'trace/output_mean_sd' differs from the number of columns of draws.csv.",
        {posterior_path, 0, 0});
  }
  require_same_stamp(bundle.posterior.is_private, posterior_path);
  require_same_stamp(bundle.draws.is_private, draws_path);
  return bundle;
}

}  // namespace dpvi
