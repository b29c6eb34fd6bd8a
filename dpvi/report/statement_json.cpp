#include <nlohmann/json.hpp>

#include <dpvi/privacy/dp_event_json.hpp>
#include <dpvi/report/plan_record.hpp>
#include <dpvi/report/statement.hpp>
#include <dpvi/report/statement_facts.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

void add_claim(Json& document, const PrivacyPlan& plan, const StatementFacts& facts) {
  document["unit"] = facts.unit;
  document["adjacency"] = adjacency_name(plan.adjacency);
  document["epsilon"] = plan.epsilon;
  document["epsilon_other_adjacency"] = facts.epsilon_other_adjacency;
  document["delta"] = plan.delta;
  document["accountant"] = name_of(plan.solver);
  document["epsilon_lower"] = facts.epsilon_lower ? Json(*facts.epsilon_lower) : Json();
}

void add_mechanism(Json& document, const PrivacyPlan& plan, const StatementFacts& facts,
                   const ExecutedLoop& loop) {
  const bool one_phase = plan.run.size() == 1;
  // With several phases, sampling_rate and noise_multiplier differ between them and are in
  // `phases`.
  document["sampling_rate"] = one_phase ? Json(plan.run[0].sampling_rate) : Json();
  document["steps"] = total_steps(plan.run);
  document["posterior"] = loop.posterior;
  document["clip"] = loop.clip;
  document["clip_centre"] = loop.clip_centre;
  document["clip_bound"] = loop.clip_bound;
  document["last_clip_bound"] = loop.last_clip_bound;
  document["clip_coordinate"] = loop.clip_coordinate ? Json(*loop.clip_coordinate) : Json();
  document["noise_multiplier"] = one_phase ? Json(plan.run[0].noise_multiplier) : Json();
  document["phases"] = Json::parse(plan_record(plan))["phases"];
  for (std::size_t i = 0; i < loop.phase_clip_bounds.size(); ++i) {
    document["phases"][i]["clip_bound"] = loop.phase_clip_bounds[i];
  }
  document["sampler"] = facts.sampler;
  document["noise"] = facts.noise;
  document["protects"] = facts.protects;
}

Json ledger_json_of(const std::optional<LedgerMark>& ledger) {
  if (!ledger) return nullptr;
  return {{"ledger", ledger->ledger},
          {"entry", ledger->entry},
          {"position", ledger->position},
          {"head", ledger->head}};
}

constexpr const char* kClaimKeys[] = {"unit",
                                      "adjacency",
                                      "epsilon",
                                      "epsilon_other_adjacency",
                                      "delta",
                                      "accountant",
                                      "epsilon_lower",
                                      "sampling_rate",
                                      "steps",
                                      "posterior",
                                      "clip",
                                      "clip_centre",
                                      "clip_bound",
                                      "last_clip_bound",
                                      "clip_coordinate",
                                      "noise_multiplier",
                                      "phases",
                                      "sampler",
                                      "noise",
                                      "protects"};

}  // namespace

std::string statement_json(const FitResult& result) {
  Json document = {{"private", result.privacy.has_value()}};
  if (result.privacy) {
    const StatementFacts facts = statement_facts(result);
    add_claim(document, result.privacy->plan(), facts);
    add_mechanism(document, result.privacy->plan(), facts, result.loop);
    document["public_facts"] = result.public_facts;
    document["assumptions"] = facts.assumptions;
    document["tuning"] = facts.tuning;
    document["counting"] = facts.counting;
    document["ledger"] = ledger_json_of(result.ledger);
    document["dp_event"] = Json::parse(dp_event_json(result.privacy->plan().run));
  } else {
    document["notice"] = kNotPrivateNotice;
    for (const char* key : kClaimKeys) document[key] = nullptr;
    document["public_facts"] = result.public_facts;
    document["assumptions"] = Json::array();
    document["tuning"] = nullptr;
    document["counting"] = nullptr;
    document["ledger"] = nullptr;
    document["dp_event"] = nullptr;
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi
