#include <dpvi/report/bundle_reader.hpp>

#include <algorithm>
#include <cmath>
#include <span>

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
  file.refuse("/family", "is neither mean-field nor low-rank nor full-rank");
}

struct FittedGaussian {
  GaussianFamily family;
  std::vector<double> parameters;
};

FittedGaussian read_full_rank(const JsonFile& file, std::span<const double> mean) {
  const std::vector<double> factor = file.matrix("/unconstrained/cholesky", mean.size());
  if (factor.size() != mean.size() * mean.size()) {
    file.refuse("/unconstrained/cholesky", "differs from mean in size");
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
  if (scale.size() != mean.size()) file.refuse("/unconstrained/scale", "differs from mean in size");
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
