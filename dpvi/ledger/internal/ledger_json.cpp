#include <dpvi/ledger/internal/ledger_json.hpp>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

namespace dpvi {
namespace {

constexpr const char* kPhaseKind = "sampled-gaussian";
constexpr const char* kTotalKind = "gaussian-total";

[[noreturn]] void refuse_text(const char* what) {
  throw InputError(kDamagedLedger, fmt::format("{}.", what), "Restore the ledger from a backup.");
}

template <class Choices>
auto choice_from(const LedgerJson& json, const char* key, const Choices& choices) {
  const std::string name = json.at(key).get<std::string>();
  for (const auto choice : choices) {
    if (name == name_of(choice)) return choice;
  }
  refuse_text("a line has an unknown name");
}

}  // namespace

LedgerJson json_of(std::span<const Mechanism> mechanisms) {
  LedgerJson list = LedgerJson::array();
  for (const Mechanism& mechanism : mechanisms) {
    if (const auto* phase = std::get_if<GaussianPhase>(&mechanism)) {
      list.push_back({{"kind", kPhaseKind},
                      {"sampler", "poisson"},
                      {"q", phase->sampling_rate},
                      {"noise_multiplier", phase->noise_multiplier},
                      {"steps", phase->steps}});
    } else {
      const auto& total = std::get<GaussianTotal>(mechanism);
      list.push_back({{"kind", kTotalKind},
                      {"mu_substitute", total.mu_substitute},
                      {"mu_add_remove", total.mu_add_remove}});
    }
  }
  return list;
}

std::vector<Mechanism> mechanisms_from(const LedgerJson& json) {
  if (!json.is_array()) refuse_text("mechanisms is not a list");
  std::vector<Mechanism> mechanisms;
  for (const LedgerJson& one : json) {
    if (one.at("kind") == kPhaseKind && one.at("sampler") == "poisson") {
      mechanisms.emplace_back(GaussianPhase{one.at("q").get<double>(),
                                            one.at("noise_multiplier").get<double>(),
                                            one.at("steps").get<std::int64_t>()});
    } else if (one.at("kind") == kTotalKind) {
      mechanisms.emplace_back(GaussianTotal{one.at("mu_substitute").get<double>(),
                                            one.at("mu_add_remove").get<double>()});
    } else {
      refuse_text("a mechanism is of an unknown kind");
    }
  }
  validate(mechanisms);
  return mechanisms;
}

LedgerJson json_of(const LedgerTerms& terms) {
  return {{"epsilon", terms.epsilon},
          {"delta", terms.delta},
          {"adjacency", name_of(terms.adjacency)},
          {"unit", terms.unit},
          {"filter", name_of(terms.filter)},
          {"orders", terms.orders}};
}

LedgerTerms terms_from(const LedgerJson& json) {
  LedgerTerms terms{.epsilon = json.at("epsilon").get<double>(),
                    .delta = json.at("delta").get<double>(),
                    .adjacency = choice_from(json, "adjacency", kAdjacencies),
                    .unit = json.at("unit").get<std::string>(),
                    .filter = choice_from(json, "filter", kFilterKinds),
                    .orders = json.at("orders").get<std::vector<double>>()};
  validate(terms);
  return terms;
}

LedgerJson json_of(const LedgerRun& run) {
  return {{"mechanisms", json_of(std::span<const Mechanism>(run.mechanisms))},
          {"clip_bound", run.clip_bound},
          {"adjacency", name_of(run.adjacency)},
          {"unit", run.unit},
          {"model_sha256", run.model_sha256},
          {"plan_sha256", run.plan_sha256}};
}

LedgerRun run_from(const LedgerJson& json) {
  return {.mechanisms = mechanisms_from(json.at("mechanisms")),
          .clip_bound = json.at("clip_bound").get<double>(),
          .adjacency = choice_from(json, "adjacency", kAdjacencies),
          .unit = json.at("unit").get<std::string>(),
          .model_sha256 = json.at("model_sha256").get<std::string>(),
          .plan_sha256 = json.at("plan_sha256").get<std::string>()};
}

LedgerJson parse_body(const std::string& body) {
  constexpr int kDeepest = 8;
  const auto limit_depth = [](int depth, LedgerJson::parse_event_t, LedgerJson&) {
    if (depth > kDeepest) refuse_text("a line is nested too deeply");
    return true;
  };
  LedgerJson json = LedgerJson::parse(body, limit_depth);
  if (!json.is_object()) refuse_text("a line is not an object");
  return json;
}

}  // namespace dpvi
