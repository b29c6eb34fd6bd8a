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
  const GaussianFamily& family = result.family;
  assert(result.unconstrained_names.size() == family.dimension());
  Json unconstrained = {{"names", result.unconstrained_names},
                        {"mean", numbers(family.location(result.family_parameters))}};
  if (family.kind() == FamilyKind::full_rank) {
    unconstrained["cholesky"] = rows(family.factor(result.family_parameters), family.dimension());
  } else {
    unconstrained["scale"] = numbers(family.diagonal(result.family_parameters));
  }
  if (family.kind() == FamilyKind::low_rank) {
    unconstrained["factor"] = rows(family.columns(result.family_parameters), family.rank());
  }
  const FitTrace& trace = result.trace;
  const Json document = {{"private", result.privacy.has_value()},
                         {"family", name_of(family.kind())},
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
