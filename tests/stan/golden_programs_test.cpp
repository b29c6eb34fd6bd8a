#include <algorithm>
#include <cmath>
#include <map>

#include <tests/support/source_folder.hpp>

#include "lane_evaluation.hpp"
#include "shared_programs.hpp"

// Compares whole programs, written in the style of published ones, with Stan's values and gradients
// (tests/stan/golden/regenerate.py).
namespace dpvi {
namespace {

constexpr double kValueTolerance = 1e-9;
constexpr double kGradientTolerance = 1e-7;

// Stan approximates the derivatives of some functions in these programs: the normal distribution
// function to 1e-4 or better, the incomplete gamma function by its shape to 1e-3, and the beta
// negative binomial distribution function to 1e-5.
double gradient_tolerance(const std::string& program) {
  static const std::map<std::string, double> kApproximate = {{"survival_tails", 1e-3},
                                                             {"truncated_counts", 1e-5},
                                                             {"multivariate_counts", 1e-4},
                                                             {"argument_kinds", 1e-4},
                                                             {"count_kinds", 1e-4}};
  const auto found = kApproximate.find(program);
  return found == kApproximate.end() ? kGradientTolerance : found->second;
}

std::filesystem::path golden_folder() { return tests_folder() / "stan/golden"; }

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

StanModelOptions options_from(const nlohmann::json& golden) {
  StanModelOptions options;
  options.record_count = golden.at("record_count").get<std::string>();
  for (const auto& [name, value] : golden.at("public").items()) {
    options.known[name] = known_from(value);
  }
  if (!golden.contains("facts")) return options;
  for (const auto& [name, columns] : golden.at("facts").items()) {
    for (const auto& column : columns) {
      options.facts[name].push_back({column.at("mean").get<double>(), column.at("sd").get<double>(),
                                     column.at("lower").get<double>(),
                                     column.at("upper").get<double>()});
    }
  }
  return options;
}

void add(ReferenceGradient& total, const ReferenceGradient& part) {
  total.value += part.value;
  for (std::size_t k = 0; k < total.gradient.size(); ++k) total.gradient[k] += part.gradient[k];
}

void expect_stan(const nlohmann::json& expected, const ReferenceGradient& found, double tolerance,
                 const std::string& where) {
  if (expected.contains("error")) {
    EXPECT_FALSE(std::isfinite(found.value)) << where;
    return;
  }
  const double lp = number_of(expected.at("lp"));
  if (!std::isfinite(lp)) {
    EXPECT_FALSE(std::isfinite(found.value)) << where;
    return;
  }
  EXPECT_NEAR(found.value, lp, kValueTolerance * (1 + std::abs(lp))) << where;
  for (std::size_t k = 0; k < found.gradient.size(); ++k) {
    const double entry = number_of(expected.at("grad")[k]);
    EXPECT_NEAR(found.gradient[k], entry, tolerance * (1 + std::abs(entry)))
        << where << " entry " << k;
  }
}

class GoldenProgram : public testing::TestWithParam<std::string> {};

TEST_P(GoldenProgram, PriorAndRecordsAddUpToStansDensity) {
  const auto golden = nlohmann::json::parse(read_text(golden_folder() / (GetParam() + ".json")));
  ReadModel read(read_text(golden_folder() / (GetParam() + ".stan")), options_from(golden));
  const StanModel model = read.build();
  const nlohmann::json& records = golden.at("records");
  const std::size_t count = records.begin().value().size();
  ASSERT_LE(count, static_cast<std::size_t>(kLanes));
  for (std::size_t p = 0; p < golden.at("theta").size(); ++p) {
    const auto theta = golden.at("theta")[p].get<std::vector<double>>();
    ASSERT_EQ(static_cast<std::size_t>(model.free_size), theta.size());
    const std::string where = "point " + std::to_string(p);
    const double tolerance = gradient_tolerance(GetParam());
    const ReferenceGradient prior = reference_gradient(*model.graph, model.prior, theta);
    ReferenceGradient total = prior;
    ReferenceGradient lane_total = prior;
    const std::vector<ReferenceGradient> lanes = lane_results<double>(model, records, count, theta);
    expect_close_in_single(lane_results<float>(model, records, count, theta), lanes, where);
    for (std::size_t i = 0; i < count; ++i) {
      const RecordNumbers record = record_from(model, records, i);
      add(total, reference_gradient(*model.graph, model.record, theta, record.values()));
      add(lane_total, lanes[i]);
      if (i == 0 && golden.at("first").is_array()) {
        expect_stan(golden.at("first")[p], total, tolerance, "first record at " + where);
      }
    }
    expect_stan(golden.at("full")[p], total, tolerance, where);
    expect_stan(golden.at("full")[p], lane_total, tolerance, "lanes at " + where);
    if (golden.at("base").is_array()) {
      expect_stan(golden.at("base")[p], prior, tolerance, "no record at " + where);
    }
  }
  EXPECT_EQ(read.factorises(), true);
}

INSTANTIATE_TEST_SUITE_P(Programs, GoldenProgram, testing::ValuesIn(golden_names()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace dpvi
