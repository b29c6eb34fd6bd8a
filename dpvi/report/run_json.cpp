#include <dpvi/report/run_json.hpp>

#include <openssl/crypto.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/plan_record.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

// The clip bound of an unprotected fit is infinite, which means that it has none.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json configuration(const FitResult& result) {
  const ExecutedLoop& loop = result.loop;
  return {{"family", result.fitted.family->description().name},
          {"rank", result.fitted.family->rank() > 0 ? Json(result.fitted.family->rank()) : Json()},
          {"posterior", loop.posterior},
          {"posterior_reason", loop.posterior_reason},
          {"gradient", loop.gradient},
          {"clip", loop.clip},
          {"clip_centre", loop.clip_centre},
          {"clip_centre_reason", loop.clip_centre_reason},
          {"clip_bound", loop.clip_bound},
          {"last_clip_bound", number_or_null(loop.last_clip_bound)},
          {"phase_clip_bounds", loop.phase_clip_bounds},
          {"clip_coordinate", loop.clip_coordinate ? Json(*loop.clip_coordinate) : Json()},
          {"unshortened_share", loop.unshortened_share ? Json(*loop.unshortened_share) : Json()},
          {"optimizer", loop.optimizer},
          {"learning_rate", loop.learning_rate},
          {"schedule", loop.schedule},
          {"averaged_share", loop.averaged_share},
          {"initial_values", loop.initial_values},
          {"initial_scale", loop.initial_scale ? Json(*loop.initial_scale) : Json()},
          {"coordinates", loop.coordinates},
          {"precision", loop.precision},
          {"unit", result.unit ? Json(result.unit->column) : Json()},
          {"max_rows_per_unit", result.unit ? Json(result.unit->max_rows) : Json()},
          {"draws", result.draws.size()}};
}

// Numbers as in Stan JSON: nested lists, the last index innermost.
Json nested(const PublicNumbers& value, std::size_t depth, std::size_t& next) {
  if (depth == value.dimensions.size()) {
    const double number = value.numbers[next++];
    if (value.integers) return static_cast<std::int64_t>(number);
    return std::isfinite(number) ? Json(number) : Json(exact_text(number));
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < value.dimensions[depth]; ++i) {
    list.push_back(nested(value, depth + 1, next));
  }
  return list;
}

Json inputs_json(const PublicInputs& inputs) {
  Json values = Json::object();
  for (const auto& [name, value] : inputs.values) {
    std::size_t next = 0;
    values[name] = nested(value, 0, next);
  }
  return {{"record_count", inputs.record_count},
          {"public_data", values},
          {"columns", inputs.columns},
          {"level_files", inputs.level_files},
          {"index_names", inputs.index_names}};
}

}  // namespace

std::string run_json(const FitResult& result, const ProgramVersion& program) {
  const std::string plan = result.privacy ? plan_record(result.privacy->plan()) : "";
  const auto hash_or_null = [](const std::string& text) {
    return text.empty() ? Json() : Json(sha256_hex(text));
  };
  Json document = {{"private", result.privacy.has_value()}, {"model", result.model_name}};
  document["started_at"] = result.started_at + " UTC";
  document["versions"] = {{"dpvi", program.version},
                          {"commit", program.commit},
                          {"openssl", OpenSSL_version(OPENSSL_VERSION)}};
  document["configuration"] = configuration(result);
  document["plan"] = plan.empty() ? Json() : Json::parse(plan);
  document["sha256"] = {{"model", sha256_hex(result.model_text)},
                        {"schema", hash_or_null(result.schema_text)},
                        {"plan", hash_or_null(plan)}};
  document["inputs"] = inputs_json(result.inputs);
  document["dropped_quantities"] = result.dropped_quantities;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi
