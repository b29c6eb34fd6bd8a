#include <dpvi/report/bundle_reader.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/family/location_noise.hpp>
#include <dpvi/family/make_family.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {
namespace {

PrivacyStamp read_stamp(const JsonFile& file) {
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

// Reads the Gaussians of posterior.json. Texts named `pointer` are JSON pointers.
class GaussianReader {
 public:
  GaussianReader(const JsonFile& file, std::vector<double> mean)
      : file_(file), mean_(std::move(mean)) {}

  // `object` holds the parts of a Gaussian around the mean.
  Gaussian gaussian(const std::string& family_name, const std::string& object) const {
    const FamilyKind kind = read_kind(family_name);
    std::vector<std::vector<double>> parts;
    std::size_t rank = 0;
    for (const FactorPart& part : description_of(kind).parts) {
      parts.push_back(read_part(object + "/" + std::string(part.name), part.shape));
      if (part.shape == PartShape::columns) rank = parts.back().size() / mean_.size();
    }
    const SharedFamily family = make_family(kind, mean_.size(), rank);
    return {family, family->parameters(mean_, parts)};
  }

  std::vector<double> of_mean_size(const char* pointer) const {
    std::vector<double> numbers = file_.numbers(pointer);
    if (numbers.size() != mean_.size()) file_.refuse(pointer, "differs from mean in size");
    return numbers;
  }

 private:
  FamilyKind read_kind(const std::string& pointer) const {
    const std::string name = file_.text(pointer.c_str());
    for (const FamilyKind kind : kFamilies) {
      if (name == name_of(kind)) return kind;
    }
    std::string rule;
    for (const FamilyKind kind : kFamilies) {
      rule.append(rule.empty() ? "is neither " : " nor ").append(name_of(kind));
    }
    file_.refuse(pointer.c_str(), rule.c_str());
  }

  std::vector<double> read_scales(const char* pointer) const {
    std::vector<double> scales = of_mean_size(pointer);
    // A scale of a fit that diverged may be too small for a number and is then written as zero.
    if (std::ranges::any_of(scales, [](double entry) { return entry < 0.0; })) {
      file_.refuse(pointer, "is negative");
    }
    return scales;
  }

  std::vector<double> read_triangle(const char* pointer) const {
    const std::size_t dimension = mean_.size();
    std::vector<double> triangle = file_.matrix(pointer, dimension);
    if (triangle.size() != dimension * dimension) {
      file_.refuse(pointer, "differs from mean in size");
    }
    for (std::size_t i = 0; i < dimension; ++i) {
      if (triangle[i * dimension + i] < 0.0) {
        file_.refuse(pointer, "has a negative diagonal");
      }
    }
    return triangle;
  }

  std::vector<double> read_part(const std::string& pointer, PartShape shape) const {
    switch (shape) {
      case PartShape::scales:
        return read_scales(pointer.c_str());
      case PartShape::triangle:
        return read_triangle(pointer.c_str());
      case PartShape::columns:
        break;
    }
    return file_.matrix(pointer.c_str(), mean_.size());
  }

  const JsonFile& file_;
  std::vector<double> mean_;
};

FitStatus read_status(const JsonFile& file, const std::string& pointer) {
  const std::string name = file.text(pointer.c_str());
  for (const FitStatus status : kFitStatuses) {
    if (name == name_of(status)) return status;
  }
  file.refuse(pointer.c_str(), "is not the name of a status");
}

FitVerdict read_verdict(const JsonFile& file) {
  FitVerdict verdict{read_status(file, "/status/status"), {}};
  const auto& reasons = file.at("/status/reasons");
  if (!reasons.is_array()) file.refuse("/status/reasons", "is not a list");
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const std::string reason = "/status/reasons/" + std::to_string(i);
    verdict.reasons.push_back({read_status(file, reason + "/status"),
                               file.text((reason + "/reason").c_str()),
                               file.texts((reason + "/parameters").c_str())});
  }
  return verdict;
}

Posterior read_posterior(const JsonFile& file) {
  const std::vector<double> mean = file.numbers("/unconstrained/mean");
  std::vector<std::string> names = file.texts("/unconstrained/names");
  if (mean.empty()) file.refuse("/unconstrained/mean", "is empty");
  if (names.size() != mean.size()) {
    file.refuse("/unconstrained/names", "differs from mean in size");
  }
  const GaussianReader reader(file, mean);
  Posterior posterior{.is_private = file.truth("/private"),
                      .total = reader.gaussian("/family", "/unconstrained"),
                      .fitted = {},
                      .unconstrained_names = std::move(names),
                      .verdict = {},
                      .optimisation = {},
                      .r_hat = file.numbers("/trace/r_hat"),
                      .sd_model = {},
                      .sd_privacy = {},
                      .effective_sample_size = file.numbers("/trace/effective_size")};
  if (file.has("/chains")) {
    posterior.divergences = file.number("/chains/divergences");
    posterior.saturations = file.number("/chains/saturations");
  }
  if (file.has("/inference")) {
    posterior.inference = file.text("/inference/posterior");
    posterior.inference_reason = file.text("/inference/reason");
  }
  if (file.has("/evidence/measured/records")) {
    posterior.records = file.number("/evidence/measured/records");
    posterior.records_sd = file.number("/evidence/measured/records_sd");
  }
  if (file.has("/fitted")) {
    posterior.verdict = read_verdict(file);
    posterior.optimisation = file.text("/trace/optimisation");
    posterior.fitted = reader.gaussian("/fitted/family", "/fitted");
    posterior.sd_model = file.numbers("/outputs/sd_model");
    posterior.sd_privacy = file.numbers("/outputs/sd_privacy");
  } else {
    // Version 0.2 and earlier published the fitted Gaussian and left the noise to the reader.
    posterior.optimisation = file.text("/trace/status");
    posterior.fitted = posterior.total;
    posterior.total =
        with_noise(posterior.fitted, LocationNoise::of_sds(reader.of_mean_size("/trace/mean_sd")));
    posterior.sd_privacy = file.numbers("/trace/output_mean_sd");
  }
  return posterior;
}

}  // namespace

Bundle read_bundle(const std::filesystem::path& folder) {
  Bundle bundle = read_bundle(read_bundle_texts(folder));
  const BundleVerification verification = verify_bundle(folder);
  require_verified(folder, verification);
  bundle.has_manifest = verification.has_manifest;
  return bundle;
}

Bundle read_bundle(const BundleTexts& texts) {
  const std::string draws_path = texts.path("draws.csv");
  const std::string posterior_path = texts.path("posterior.json");
  Bundle bundle{.stamp = read_stamp({texts.path("statement.json"), texts.text("statement.json")}),
                .posterior = read_posterior({posterior_path, texts.text("posterior.json")}),
                .draws = parse_stan_csv(texts.text("draws.csv"), draws_path)};
  const auto require_same_stamp = [&](bool stamp, const std::string& path) {
    if (stamp != bundle.stamp.is_private) {
      refuse_damaged("this file and statement.json disagree on whether the result is private.",
                     {path, 0, 0});
    }
  };
  const std::size_t columns = bundle.draws.columns.size();
  const std::size_t model_sds = bundle.posterior.sd_model.size();
  if (bundle.posterior.sd_privacy.size() != columns || (model_sds != 0 && model_sds != columns)) {
    refuse_damaged(
        "the number of standard deviations of the outputs differs from the number of columns of "
        "draws.csv.",
        {posterior_path, 0, 0});
  }
  require_same_stamp(bundle.posterior.is_private, posterior_path);
  require_same_stamp(bundle.draws.is_private, draws_path);
  return bundle;
}

}  // namespace dpvi
