#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include <dpvi/base/sha256.hpp>
#include <dpvi/privacy/group_privacy.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/plan_record.hpp>
#include <dpvi/report/run_json.hpp>
#include <dpvi/report/statement.hpp>

#include "example_result.hpp"

namespace dpvi {
namespace {

using Json = nlohmann::json;

constexpr const char* kContract[] = {
    "unit",   "adjacency",  "epsilon",          "epsilon_other_adjacency",
    "delta",  "accountant", "epsilon_lower",    "sampling_rate",
    "steps",  "clip_bound", "noise_multiplier", "sampler",
    "noise",  "protects",   "public_facts",     "assumptions",
    "tuning", "dp_event"};

std::string statement_json(const FitResult& result) {
  return privacy_statement(result, {"1.2.3", "abc"}).json;
}

std::string statement_text(const FitResult& result) {
  return privacy_statement(result, {"1.2.3", "abc"}).text;
}

FitResult two_phases() {
  FitResult result = example_result();
  PrivacyPlan plan = example_plan();
  plan.run = {{0.125, 4.0, 250}, {0.5, 8.0, 50}};
  plan.adjacency = Adjacency::add_remove;
  plan.epsilon = 0.2;
  result.privacy = executed(plan, result.fitted.parameters);
  return result;
}

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(Statement, JsonHasTheContractsKeysWhetherPrivateOrNot) {
  for (const FitResult& result : {example_result(), unprotected_example()}) {
    const Json statement = Json::parse(statement_json(result));
    for (const char* key : kContract) EXPECT_TRUE(statement.contains(key)) << key;
  }
}

TEST(Statement, JsonStatesThePlanAsItIs) {
  const Json statement = Json::parse(statement_json(example_result()));
  EXPECT_EQ(statement["private"], true);
  EXPECT_EQ(statement["adjacency"], "substitute");
  EXPECT_EQ(statement["epsilon"].get<double>(), 1.0 / 3.0);
  EXPECT_EQ(statement["epsilon_other_adjacency"], 0.2);
  EXPECT_EQ(statement["epsilon_lower"], 0.2);
  EXPECT_EQ(statement["delta"], 1e-6);
  EXPECT_EQ(statement["accountant"], "pld");
  EXPECT_EQ(statement["sampling_rate"], 0.125);
  EXPECT_EQ(statement["noise_multiplier"], 64.0);
  EXPECT_EQ(statement["steps"], 250);
  EXPECT_EQ(statement["clip_bound"], 2.5);
  EXPECT_EQ(statement["public_facts"], Json(example_result().public_facts));
  EXPECT_GE(statement["assumptions"].size(), 4U);
}

TEST(Statement, SaysThatRefusalsOfMalformedFilesAreForTheCurator) {
  const std::string text = statement_text(example_result());
  EXPECT_TRUE(holds(text,
                    "- The table is a well-formed file: whether it could be read at all is "
                    "not covered."))
      << text;
  EXPECT_TRUE(holds(text, "the message is for the curator of the table.")) << text;
}

TEST(Statement, SaysWhatOneRecordIs) {
  FitResult result = example_result();
  EXPECT_EQ(Json::parse(statement_json(result))["unit"], "one record: one row of the table");
  const std::size_t assumptions = Json::parse(statement_json(result))["assumptions"].size();
  result.unit = {"patient_id", 4};
  const Json statement = Json::parse(statement_json(result));
  EXPECT_EQ(statement["unit"],
            "one record: all rows of the table with the same patient_id, whatever their content "
            "and number (the first 4 of them are used)");
  EXPECT_EQ(statement["assumptions"].size(), assumptions + 1);
  const std::string text = statement_text(result);
  EXPECT_TRUE(holds(text, "all rows of the table with the same patient_id")) << text;
  EXPECT_TRUE(holds(text,
                    "- Ids are correct: rows belong together if and only if they have the same "
                    "patient_id, byte for byte."));
  EXPECT_TRUE(holds(text, "sampled records, each the sum over the record's rows, were clipped"));
}

TEST(Statement, SeveralPhasesAreListedAndBothAdjacenciesAreStated) {
  const Json statement = Json::parse(statement_json(two_phases()));
  EXPECT_TRUE(statement["sampling_rate"].is_null());
  EXPECT_TRUE(statement["noise_multiplier"].is_null());
  EXPECT_EQ(statement["steps"], 300);
  EXPECT_EQ(statement["phases"].size(), 2U);
  EXPECT_EQ(statement["phases"][1]["noise_multiplier"], 8.0);
  EXPECT_EQ(statement["adjacency"], "add-remove");
  EXPECT_EQ(statement["epsilon_other_adjacency"].get<double>(), 1.0 / 3.0);
}

// The leaves of the tree hold the run's numbers, whatever its exact nesting.
TEST(Statement, DpEventTreeHoldsTheRun) {
  const std::string tree = Json::parse(statement_json(two_phases()))["dp_event"].dump();
  for (const char* words :
       {"PoissonSampledDpEvent", "GaussianDpEvent", "\"sampling_probability\":0.125",
        "\"sampling_probability\":0.5", "\"noise_multiplier\":4.0", "\"noise_multiplier\":8.0",
        "\"count\":250", "\"count\":50"}) {
    EXPECT_TRUE(holds(tree, words)) << words << " in " << tree;
  }
}

TEST(Statement, WithoutACertifiedLowerBoundItIsNull) {
  FitResult result = example_result();
  PrivacyPlan plan = example_plan();
  plan.accountants[0].second.epsilon_ends.reset();
  result.privacy = executed(plan, result.fitted.parameters);
  EXPECT_TRUE(Json::parse(statement_json(result))["epsilon_lower"].is_null());
  EXPECT_FALSE(holds(statement_text(result), "lower bound"));
}

TEST(Statement, TextSaysWhatIsClaimedAndWhatWouldVoidIt) {
  const std::string text = statement_text(example_result());
  EXPECT_TRUE(text.starts_with("# Privacy statement\n"));
  for (const char* words :
       {"one row of the table", "substitute", "| epsilon | 0.3334 |", "1e-06",
        "epsilon under add-remove | 0.2", "0.333", "0.125", "| 250 |", "every iterate",
        "clipped to length 2.5", "The table has about 100 rows.", "K is 3.", "operator",
        "floating-point arithmetic", "Timing", "ledger", "dp_event", "Tuning", "at most 1.396"}) {
    EXPECT_TRUE(holds(text, words)) << words;
  }
}

TEST(Statement, BlanksOfTheStudyAreVisibleUntilTheyAreDeclared) {
  FitResult result = example_result();
  const std::string blank = statement_text(result);
  for (const char* words : {"| title | ____", "| data set | ____", "| period of the records | ____",
                            "| controller of the data | ____", "| purpose | ____",
                            "| contact | ____", "| date of the run | 2026-01-02 03:04:05 UTC |",
                            "| program | dpvi 1.2.3, commit abc |", "| signature | ____"}) {
    EXPECT_TRUE(holds(blank, words)) << words;
  }
  result.study = {.title = "Stays | 2025\n# not a heading",
                  .data_set = "ward register",
                  .period = "2025",
                  .controller = "Hospital",
                  .purpose = "planning",
                  .contact = "a@b",
                  .version = "2",
                  .region = "here",
                  .sector = "health",
                  .signatory = "A. Steward"};
  const std::string filled = statement_text(result);
  EXPECT_TRUE(holds(filled, "| title | Stays \\| 2025 # not a heading |")) << filled;
  EXPECT_TRUE(holds(filled, "| name and function | A. Steward |"));
  EXPECT_FALSE(holds(filled, "to fill in"));
  const Json statement = Json::parse(statement_json(result));
  EXPECT_EQ(statement["study"]["title"], result.study.title);
  EXPECT_EQ(statement["registry"]["deployment"]["product"]["data_curators"], Json({"Hospital"}));
  EXPECT_TRUE(Json::parse(statement_json(example_result()))["study"]["title"].is_null());
}

// A belief p becomes at most p / (p + (1 - p) e^-epsilon), and at least the same with +epsilon.
TEST(Statement, SaysInPlainWordsWhatEpsilonAndDeltaAllow) {
  FitResult result = example_result();
  PrivacyPlan plan = example_plan();
  plan.epsilon = plan.epsilon_substitute = 1.0;
  plan.delta = 0.001;
  result.privacy = executed(plan, result.fitted.parameters);
  const std::string text = statement_text(result);
  for (const char* words :
       {"this belief can rise to at most 73.1 %", "| 1 % | 0.37 % | 2.67 % |",
        "| 10 % | 3.93 % | 23.2 % |", "| 50 % | 26.9 % | 73.1 % |",
        "is right with a probability of at most 73.1 %", "Facts about groups"}) {
    EXPECT_TRUE(holds(text, words)) << words << "\n" << text;
  }
  EXPECT_FALSE(holds(text, "beyond common practice"));
  const Json statement = Json::parse(statement_json(result));
  const double e = std::exp(1.0);
  EXPECT_DOUBLE_EQ(statement["right_guesses"].get<double>(), (e + 0.001) / (e + 1.0));
  EXPECT_DOUBLE_EQ(statement["beliefs"][2]["at_most"].get<double>(), e / (e + 1.0));
  plan.epsilon = plan.epsilon_substitute = 10.5;
  result.privacy = executed(plan, result.fitted.parameters);
  EXPECT_TRUE(holds(statement_text(result), "An epsilon above 10 is beyond common practice."));
}

TEST(Statement, GivesTheEpsilonOfSeveralRows) {
  const PrivacyPlan plan = example_plan();
  const std::string text = statement_text(example_result());
  const Json statement = Json::parse(statement_json(example_result()));
  double last = 0.0;
  for (const int size : {2, 5, 10}) {
    const double epsilon =
        group_epsilons(plan.run, plan.adjacency, plan.delta, std::vector{size}).front();
    EXPECT_TRUE(holds(text, "\n| " + std::to_string(size) + " | " + rounded_up(epsilon) + " | "));
    EXPECT_GT(epsilon, last);
    last = epsilon;
  }
  EXPECT_EQ(statement["groups"][2]["records"], 10);
  EXPECT_EQ(statement["groups"][2]["epsilon"].get<double>(), last);
}

// In the example the noise is the smaller part of every quantity.
TEST(Statement, NamesQuantitiesThatAreMostlyNoise) {
  FitResult result = example_result();
  EXPECT_TRUE(holds(statement_text(result), "No quantity owes more than half"));
  EXPECT_TRUE(holds(statement_text(result), "Status of the fit: weak."));
  std::swap(result.sd_model, result.sd_privacy);
  const std::string text = statement_text(result);
  EXPECT_TRUE(holds(text, "is noise for 18 of them: `alpha`, `beta[1]`")) << text;
  EXPECT_TRUE(holds(text, "and 8 more. "));
  EXPECT_EQ(Json::parse(statement_json(result))["accuracy"]["mostly_noise"].size(), 18U);
}

TEST(Statement, SaysWhatTheLedgerHasSpent) {
  FitResult result = example_result();
  EXPECT_TRUE(holds(statement_text(result), "No ledger counts this run. Every other result"));
  result.ledger = {.ledger = "abcd", .entry = 3, .position = 9, .head = "ef", .total = {}};
  result.ledger->total = {.spent_epsilon = 1.03,
                          .budget_epsilon = 2.0,
                          .budget_delta = 1e-6,
                          .adjacency = "substitute",
                          .runs = 3};
  EXPECT_TRUE(holds(statement_text(result),
                    "3 charged runs of the ledger together cost epsilon 1.03 of a budget of 2 at "
                    "delta 1e-06"));
  EXPECT_EQ(Json::parse(statement_json(result))["ledger"]["spent_epsilon"], 1.03);
}

// The keys that the registry asks for at tier 3, as its published records have them.
TEST(Statement, HasTheFieldsOfTheDeploymentRegistry) {
  const Json record = Json::parse(statement_json(example_result()))["registry"];
  EXPECT_EQ(record["tier"], 3);
  const std::pair<const char*, std::vector<const char*>> fields[] = {
      {"product",
       {"name", "data_curators", "intended_use", "data_product_type", "data_product_region",
        "description", "publication_date", "data_product_sector"}},
      {"dp_flavor", {"name", "data_domain", "unprotected_quantities"}},
      {"privacy_loss",
       {"privacy_unit", "privacy_unit_description", "privacy_parameters",
        "privacy_parameters_description"}},
      {"model", {"model_name", "actors", "release_type", "data_source_type", "access_type"}},
      {"accounting", {"post_processing", "composition"}},
      {"implementation",
       {"pre_processing_eda_hyperparameter_tuning", "mechanisms", "justification"}},
      {"resources", {"sources", "registry_authors"}}};
  for (const auto& [section, keys] : fields) {
    for (const char* key : keys) {
      EXPECT_TRUE(record["deployment"][section].contains(key)) << section << " " << key;
    }
  }
  EXPECT_EQ(record["deployment"]["privacy_loss"]["privacy_parameters"]["epsilon"], 1.0 / 3.0);
}

FitResult adaptive_clipping() {
  FitResult result = example_result();
  result.loop.clip = "adaptive";
  result.loop.last_clip_bound = 3.75;
  result.loop.clip_coordinate = 0.25;
  result.loop.unshortened_share = 0.875;
  return result;
}

TEST(Statement, SaysHowAnAdaptiveClipBoundMovedAndThatItCostsNothing) {
  const std::string text = statement_text(adaptive_clipping());
  for (const char* words : {"was 2.5 at first and 3.75 in the last step", "0.25 of the length",
                            "share of 0.875", "all coordinates together", "at no further cost"}) {
    EXPECT_TRUE(holds(text, words)) << words;
  }
  const Json statement = Json::parse(statement_json(adaptive_clipping()));
  EXPECT_EQ(statement["clip"], "adaptive");
  EXPECT_EQ(statement["clip_bound"], 2.5);
  EXPECT_EQ(statement["last_clip_bound"], 3.75);
  EXPECT_EQ(statement["clip_coordinate"], 0.25);
  const Json run = Json::parse(run_json(adaptive_clipping(), {"1.2.3", "abc"}));
  EXPECT_EQ(run["configuration"]["clip"], "adaptive");
  EXPECT_EQ(run["configuration"]["unshortened_share"], 0.875);
}

TEST(Statement, SaysThatGradientsWereNormalised) {
  FitResult result = example_result();
  result.loop.clip = "normalised";
  EXPECT_TRUE(holds(statement_text(result), "scaled to length 2.5, approximately"));
  EXPECT_FALSE(holds(statement_text(result), "one more coordinate"));
}

// Guarantee: a fit without protection is stamped not private in the first line of the text and by
// `"private": false` and a null epsilon in the JSON.
TEST(Statement, AFitWithoutProtectionIsStampedNotPrivateInTheFirstLineAndByAFalseAndANull) {
  const std::string text = statement_text(unprotected_example());
  const std::string first_line = text.substr(0, text.find('\n'));
  EXPECT_TRUE(holds(first_line, "NOT PRIVATE"));
  EXPECT_TRUE(holds(first_line, "must not be published"));
  EXPECT_FALSE(holds(text, "differentially private"));
  const Json statement = Json::parse(statement_json(unprotected_example()));
  EXPECT_EQ(statement["private"], false);
  EXPECT_TRUE(statement["epsilon"].is_null());
  EXPECT_TRUE(statement["delta"].is_null());
  EXPECT_TRUE(statement["dp_event"].is_null());
}

TEST(RunRecord, HashesAreThoseOfModelSchemaAndPlan) {
  // The expected hash is an example from FIPS 180-2.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const FitResult result = example_result();
  const Json run = Json::parse(run_json(result, {"1.2.3", "abc"}));
  EXPECT_EQ(run["sha256"]["model"], sha256_hex(result.model_text));
  EXPECT_EQ(run["sha256"]["schema"], sha256_hex(result.schema_text));
  EXPECT_EQ(run["sha256"]["plan"], sha256_hex(plan_record(result.privacy->plan())));
  EXPECT_EQ(run["versions"]["dpvi"], "1.2.3");
  EXPECT_EQ(run["configuration"]["family"], "mean-field");
  EXPECT_EQ(run["configuration"]["learning_rate"], 0.05);
  EXPECT_EQ(run["configuration"]["draws"], 40);
  EXPECT_EQ(run["dropped_quantities"], Json({"y_rep"}));
}

TEST(RunRecord, PlansThatDifferHaveOtherHashes) {
  PrivacyPlan plan = example_plan();
  const std::string before = sha256_hex(plan_record(plan));
  plan.run[0].noise_multiplier = std::nextafter(plan.run[0].noise_multiplier, 65.0);
  EXPECT_NE(sha256_hex(plan_record(plan)), before);
}

// Guarantee: no durations, no hash of data, and one timestamp, taken before data was opened. The
// set of keys is fixed, so a new key must be considered here.
TEST(RunRecord, NoDurationsNoHashOfDataAndOneTimestamp) {
  const Json run = Json::parse(run_json(example_result(), {"1.2.3", "abc"}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : run.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"configuration", "dropped_quantities", "inputs", "model",
                                      "plan", "private", "sha256", "started_at", "versions"}));
  EXPECT_EQ(run["sha256"].size(), 3U);
  EXPECT_EQ(run["started_at"], "2026-01-02 03:04:05 UTC");
}

TEST(RunRecord, AbsentFactsAreNull) {
  FitResult result = unprotected_example();
  result.schema_text.clear();
  const Json run = Json::parse(run_json(result, {"1.2.3", "abc"}));
  EXPECT_EQ(run["private"], false);
  EXPECT_TRUE(run["plan"].is_null());
  EXPECT_TRUE(run["sha256"]["plan"].is_null());
  EXPECT_TRUE(run["sha256"]["schema"].is_null());
}

}  // namespace
}  // namespace dpvi
