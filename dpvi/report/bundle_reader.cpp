#include <dpvi/report/bundle_reader.hpp>

#include <cmath>

#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/internal/json_file.hpp>
#include <dpvi/report/posterior_json.hpp>

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
    file.refuse("/epsilon", "is not a finite number from 0");
  }
  if (!(*stamp.delta >= 0.0 && *stamp.delta < 1.0)) {
    file.refuse("/delta", "is not from 0 and below 1");
  }
  return stamp;
}

FamilyKind read_family(const JsonFile& file) {
  const std::string name = file.text("/family");
  for (const FamilyKind kind : {FamilyKind::mean_field, FamilyKind::full_rank}) {
    if (name == family_name(kind)) return kind;
  }
  file.refuse("/family", "is neither mean-field nor full-rank");
}

// L, row-major, from either form in which the file may hold it.
std::vector<double> read_factor(const JsonFile& file, FamilyKind kind, std::size_t dimension) {
  if (kind == FamilyKind::full_rank) return file.matrix("/unconstrained/cholesky", dimension);
  const std::vector<double> scale = file.numbers("/unconstrained/scale");
  if (scale.size() != dimension) file.refuse("/unconstrained/scale", "has another size than mean");
  std::vector<double> factor(dimension * dimension, 0.0);
  for (std::size_t i = 0; i < dimension; ++i) factor[i * dimension + i] = scale[i];
  return factor;
}

Posterior read_posterior(const std::string& path) {
  const JsonFile file(path);
  const FamilyKind kind = read_family(file);
  const std::vector<double> mean = file.numbers("/unconstrained/mean");
  std::vector<std::string> names = file.texts("/unconstrained/names");
  if (mean.empty()) file.refuse("/unconstrained/mean", "is empty");
  if (names.size() != mean.size()) {
    file.refuse("/unconstrained/names", "has another size than mean");
  }
  const GaussianFamily family(kind, mean.size());
  const std::vector<double> factor = read_factor(file, kind, mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (factor[i * mean.size() + i] <= 0.0) {
      file.refuse("/unconstrained", "has a scale that is not positive");
    }
  }
  return {.is_private = file.truth("/private"),
          .family = family,
          .family_parameters = family.parameters(mean, factor),
          .unconstrained_names = std::move(names),
          .status = file.text("/trace/status"),
          .r_hat = file.numbers("/trace/r_hat"),
          .output_sd = file.numbers("/trace/output_mean_sd"),
          .iterate_size = file.numbers("/trace/effective_size")};
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
    refuse_damaged("'trace/output_mean_sd' has another size than draws.csv has columns.",
                   {posterior_path, 0, 0});
  }
  require_same_stamp(bundle.posterior.is_private, posterior_path);
  require_same_stamp(bundle.draws.is_private, draws_path);
  return bundle;
}

}  // namespace dpvi
