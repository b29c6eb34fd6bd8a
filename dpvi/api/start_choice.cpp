#include <dpvi/api/start_choice.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include <dpvi/base/error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/data/stan_json.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/report/bundle_reader.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse_unprotected(const std::string& file) {
  throw LeakError(
      kUnprotectedStart,
      "this bundle is stamped not private; a private fit that starts there could reveal "
      "its contents.",
      "Start from a private bundle or from public values, or leave --init out.", {file, 0, 0});
}

StartChoice from_bundle(const std::string& folder, const RecordModel& model, StartOf start_of) {
  const Bundle bundle = read_bundle(folder);
  const Posterior& posterior = bundle.posterior;
  if (start_of == StartOf::private_fit && !bundle.stamp.is_private) refuse_unprotected(folder);
  if (posterior.unconstrained_names != model.unconstrained_names()) {
    throw InputError(kBadShape, "the bundle's parameters are not those of the program.",
                     "Start from a bundle of the same program.", {folder, 0, 0});
  }
  const auto location = posterior.fitted.family->location(posterior.fitted.parameters);
  InitialValues values{
      .name = bundle.stamp.is_private ? "private bundle" : "bundle",
      .theta = {location.begin(), location.end()},
      .scales = posterior.fitted.family->standard_deviations(posterior.fitted.parameters)};
  if (start_of == StartOf::unprotected_fit) return {std::move(values), {}};
  return {std::move(values),
          {fmt::format("initial values = a private bundle with epsilon {:.6g} and delta {:.3g} "
                       "(--init); if it was fitted to the same records, its cost adds to that of "
                       "this fit",
                       *bundle.stamp.epsilon, *bundle.stamp.delta)}};
}

StartChoice from_values(const std::string& file, const RecordModel& model) {
  PublicData values;
  for (const auto& [name, variable] : read_stan_json(file)) {
    add_public_value(values, name, public_value({}, variable));
  }
  const std::vector<double> zero(model.dimension(), 0.0);
  const std::string hash = sha256_hex(read_whole_file(file));
  return {InitialValues{
              .name = "public file", .theta = theta_of_values(model, values, zero), .scales = {}},
          {fmt::format("initial values = a file with SHA-256 {} (--init, declared public)", hash)}};
}

StartChoice read_choice(const std::string& text, const RecordModel& model, StartOf start_of) {
  if (text == "mock") return {};
  if (text == "zero") {
    return {InitialValues{"zero", std::vector<double>(model.dimension(), 0.0), {}}, {}};
  }
  if (text == "prior") return {InitialValues{"prior draw", theta_from_prior(model), {}}, {}};
  const std::filesystem::path path(text);
  if (std::filesystem::is_directory(path)) return from_bundle(text, model, start_of);
  if (path.filename() == "posterior.json") {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    return from_bundle(folder.string(), model, start_of);
  }
  return from_values(text, model);
}

}  // namespace

StartChoice read_start(const std::string& init, const RecordModel& model, StartOf start_of) {
  StartChoice choice = read_choice(init, model, start_of);
  if (choice.values && !std::isfinite(model.prior().value(choice.values->theta))) {
    throw InputError(kModelFails, fmt::format("the program has no density at --init {}.", init),
                     "Start elsewhere, or leave --init out.");
  }
  return choice;
}

}  // namespace dpvi
