#include <dpvi/report/registry_record.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/report/number_text.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

Json known(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += fmt::format("- {}\n", sentence);
  return text;
}

Json product_of(const FitResult& result) {
  const Study& study = result.study;
  return {{"name", known(study.title)},
          {"data_curators", study.controller.empty() ? Json::array() : Json{study.controller}},
          {"intended_use", known(study.purpose)},
          {"data_product_type", "Statistical model"},
          {"data_product_region", known(study.region)},
          {"description", fmt::format("Posterior distribution of the Stan model '{}': draws, a "
                                      "Gaussian approximation and a report.",
                                      result.model_name)},
          {"publication_date", nullptr},
          {"data_product_sector", known(study.sector)}};
}

Json flavour_of(const PrivacyPlan& plan, const StatementFacts& facts) {
  const bool substitute = plan.adjacency == Adjacency::substitute;
  return {
      {"name", "Approximate DP"},
      {"input_metric", substitute ? "change-one distance between tables"
                                  : "number of records added or removed, with a public "
                                    "approximate table size"},
      {"bound_on_input_distance", 1},
      {"output_measure", "approximate max-divergence"},
      {"bound_on_output_distance",
       fmt::format("({}, {})", rounded_up(plan.epsilon), rounded_up(plan.delta))},
      {"data_domain", "tables whose columns are those of the schema, with cells of any content"},
      {"unprotected_quantities", joined(facts.not_protected)}};
}

Json loss_of(const FitResult& result, const StatementFacts& facts) {
  const PrivacyPlan& plan = result.privacy->plan();
  return {{"privacy_unit", result.unit ? "unit-level (all rows of one id)" : "row-level"},
          {"privacy_unit_description", facts.unit},
          {"privacy_parameters", {{"epsilon", plan.epsilon}, {"delta", plan.delta}}},
          {"privacy_parameters_description",
           fmt::format("Upper bound by the accountant {}, for all steps of the run together. {}.",
                       name_of(plan.solver), facts.counting)}};
}

Json model_of(const Study& study) {
  return {{"model_name", "Central"},
          {"model_name_description", "A trusted curator runs the program on the records."},
          {"actors", known(study.controller)},
          {"release_type", "One release"},
          {"release_type_description", nullptr},
          {"data_source_type", "Static"},
          {"data_source_type_description", nullptr},
          {"access_type", "Non-interactive"},
          {"access_type_description", nullptr}};
}

Json accounting_of(const StatementFacts& facts) {
  return {{"post_processing",
           "Everything after the noisy sums is post-processing: the iterates, the posterior, draws "
           "and the report use these sums and public values alone."},
          {"composition",
           "Privacy-loss distributions compose all steps of the run. " + facts.counting + "."}};
}

Json implementation_of(const StatementFacts& facts) {
  return {{"pre_processing_eda_hyperparameter_tuning",
           "The plan is made before any row is read. Tuning: " + facts.tuning + "."},
          {"mechanisms",
           fmt::format("Gaussian mechanism on clipped sums over records. {}. {}. "
                       "dpvi {}, commit {}.",
                       facts.sampler, facts.noise, facts.program.version, facts.program.commit)},
          {"justification", nullptr}};
}

}  // namespace

Json registry_record(const FitResult& result, const StatementFacts& facts) {
  return {{"tier", 3},
          {"deployment",
           {{"product", product_of(result)},
            {"dp_flavor", flavour_of(result.privacy->plan(), facts)},
            {"privacy_loss", loss_of(result, facts)},
            {"model", model_of(result.study)},
            {"accounting", accounting_of(facts)},
            {"implementation", implementation_of(facts)},
            {"resources", {{"sources", nullptr}, {"registry_authors", Json::array()}}}}}};
}

}  // namespace dpvi
