#include <dpvi/report/posterior_json.hpp>

#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include <dpvi/report/number_text.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN or infinity, which a diverged fit may contain; they become texts.
Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(std::isfinite(value) ? Json(value) : Json(exact_text(value)));
  }
  return list;
}

Json rows(std::span<const double> matrix, std::size_t width) {
  Json list = Json::array();
  for (std::size_t i = 0; i < matrix.size(); i += width) {
    list.push_back(numbers(matrix.subspan(i, width)));
  }
  return list;
}

}  // namespace

std::string posterior_json(const FitResult& result) {
  const Family& family = *result.family;
  assert(result.unconstrained_names.size() == family.dimension());
  Json unconstrained = {{"names", result.unconstrained_names},
                        {"mean", numbers(family.location(result.family_parameters))}};
  const std::vector<std::vector<double>> parts = family.parts(result.family_parameters);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FactorPart& part = family.description().parts[i];
    unconstrained[std::string(part.name)] =
        part.shape == PartShape::scales ? numbers(parts[i])
                                        : rows(parts[i], parts[i].size() / family.dimension());
  }
  const FitTrace& trace = result.trace;
  const Json document = {{"private", result.privacy.has_value()},
                         {"family", family.description().name},
                         {"unconstrained", unconstrained},
                         {"trace",
                          {{"status", name_of(trace.status)},
                           {"r_hat", numbers(trace.r_hat)},
                           {"effective_size", numbers(trace.effective_size)},
                           {"mean_sd", numbers(trace.mean_sd)},
                           {"output_mean_sd", numbers(trace.output_sd)}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi
