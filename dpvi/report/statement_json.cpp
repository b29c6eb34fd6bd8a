#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <dpvi/privacy/dp_event_json.hpp>
#include <dpvi/report/plan_record.hpp>
#include <dpvi/report/registry_record.hpp>
#include <dpvi/report/statement.hpp>
#include <dpvi/report/statement_facts.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

// Of statement.json. Files without this key are of version 0.3 and earlier.
constexpr int kStatementFormat = 2;

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
  document["posterior_reason"] = loop.posterior_reason;
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
  Json mark = {{"ledger", ledger->ledger},
               {"entry", ledger->entry},
               {"position", ledger->position},
               {"head", ledger->head}};
  if (const auto& total = ledger->total) {
    mark["spent_epsilon"] = total->spent_epsilon;
    mark["budget_epsilon"] = total->budget_epsilon;
    mark["budget_delta"] = total->budget_delta;
    mark["adjacency"] = total->adjacency;
    mark["runs"] = total->runs;
  }
  return mark;
}

Json study_json(const Study& study) {
  Json fields = Json::object();
  for (const StudyField& field : kStudyFields) {
    const std::string& text = study.*field.value;
    fields[std::string(field.key)] = text.empty() ? Json() : Json(text);
  }
  return fields;
}

void add_meaning(Json& document, const FitResult& result, const StatementFacts& facts) {
  document["beliefs"] = Json::array();
  for (const BeliefRange& belief : facts.beliefs) {
    document["beliefs"].push_back(
        {{"before", belief.before}, {"at_least", belief.at_least}, {"at_most", belief.at_most}});
  }
  document["right_guesses"] = facts.right_guesses;
  document["not_protected"] = facts.not_protected;
  document["groups"] = Json::array();
  for (const GroupEpsilon& group : facts.groups) {
    document["groups"].push_back({{"records", group.records}, {"epsilon", group.epsilon}});
  }
  const AccuracyFacts& accuracy = facts.accuracy;
  const bool known = std::isfinite(accuracy.median_share);
  document["accuracy"] = {{"status", name_of(result.verdict.status)},
                          {"quantities", accuracy.quantities},
                          {"median_noise_share", known ? Json(accuracy.median_share) : Json()},
                          {"mostly_noise", accuracy.drowned}};
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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
                                      "posterior_reason",
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

// Has the keys of a private statement, with null instead of claims.
std::string unprotected_json(const FitResult& result) {
  Json document = {{"format", kStatementFormat}, {"private", false}, {"notice", kNotPrivateNotice}};
  document["study"] = study_json(result.study);
  for (const char* key : kClaimKeys) document[key] = nullptr;
  document["public_facts"] = result.public_facts;
  document["assumptions"] = Json::array();
  for (const char* key : {"tuning", "counting", "ledger", "dp_event", "registry"}) {
    document[key] = nullptr;
  }
  return text_of(document);
}

}  // namespace

std::string statement_json(const FitResult& result, const StatementFacts& facts) {
  Json document = {{"format", kStatementFormat}, {"private", true}};
  document["study"] = study_json(result.study);
  document["date"] = result.started_at + " UTC";
  document["program"] = {{"version", facts.program.version}, {"commit", facts.program.commit}};
  add_claim(document, result.privacy->plan(), facts);
  add_mechanism(document, result.privacy->plan(), facts, result.loop);
  add_meaning(document, result, facts);
  document["public_facts"] = result.public_facts;
  document["assumptions"] = facts.assumptions;
  document["tuning"] = facts.tuning;
  document["counting"] = facts.counting;
  document["ledger"] = ledger_json_of(result.ledger);
  document["dp_event"] = Json::parse(dp_event_json(result.privacy->plan().run));
  document["registry"] = registry_record(result, facts);
  return text_of(document);
}

PrivacyStatement privacy_statement(const FitResult& result, const ProgramVersion& program) {
  if (result.privacy) {
    const StatementFacts facts = statement_facts(result, program);
    return {statement_json(result, facts), statement_text(result, facts)};
  }
  return {unprotected_json(result),
          fmt::format("# {}\n\nThe model `{}` was fitted to the records without protection. "
                      "Every number in this folder may reveal what single records hold.\n",
                      kNotPrivateNotice, result.model_name)};
}

}  // namespace dpvi
