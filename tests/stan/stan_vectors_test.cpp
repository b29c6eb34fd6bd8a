#include <algorithm>
#include <cmath>

#include "lane_evaluation.hpp"
#include "shared_programs.hpp"

// Compares with Stan's own values and gradients, for each program and record.
namespace dpvi {
namespace {

struct Vectors {
  nlohmann::json data;
  nlohmann::json expected;
};

StanModelOptions options_from(const Vectors& vectors) {
  StanModelOptions options;
  const auto& record_data = vectors.expected.at("record_data");
  for (const auto& [name, value] : vectors.data.items()) {
    const bool record =
        std::find(record_data.begin(), record_data.end(), name) != record_data.end();
    if (!record && name != "N") options.known[name] = known_from(value);
  }
  return options;
}

void expect_close(const nlohmann::json& expected, const ReferenceGradient& found,
                  double lp_tolerance, double gradient_tolerance, const std::string& where) {
  if (expected.contains("error")) {
    EXPECT_FALSE(std::isfinite(found.value)) << where;
    return;
  }
  const double lp = number_of(expected.at("lp"));
  EXPECT_NEAR(found.value, lp, lp_tolerance * (1 + std::abs(lp))) << where;
  const auto& gradient = expected.at("grad");
  ASSERT_EQ(found.gradient.size(), gradient.size()) << where;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    const double entry = number_of(gradient[k]);
    EXPECT_NEAR(found.gradient[k], entry, gradient_tolerance * (1 + std::abs(entry)))
        << where << " entry " << k;
  }
}

void compare_constrained(const StanModel& model, const std::vector<double>& theta,
                         const nlohmann::json& expected) {
  for (const ModelParameter& parameter : model.parameters) {
    std::vector<double> numbers;
    flatten(expected.at(parameter.value.name), numbers);
    const std::vector<double> found =
        reference_values(*model.graph, parameter.value.node, theta, {});
    const auto offsets = offsets_by_rows(parameter.value.type, parameter.value.dims);
    ASSERT_EQ(numbers.size(), offsets.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NEAR(found[static_cast<std::size_t>(offsets[i])], numbers[i],
                  1e-10 * (1 + std::abs(numbers[i])))
          << parameter.value.name;
    }
  }
}

// Evaluates all records with the compiled tape in one block of lanes, in both precisions.
void compare_lanes(const StanModel& model, const Vectors& vectors, double gradient_tolerance) {
  const std::size_t records = vectors.expected.at("records_total").get<std::size_t>();
  ASSERT_LE(records, static_cast<std::size_t>(kLanes));
  for (std::size_t p = 0; p < vectors.expected.at("theta").size(); ++p) {
    const auto theta = vectors.expected.at("theta")[p].get<std::vector<double>>();
    const std::string where = "point " + std::to_string(p);
    const auto in_double = lane_results<double>(model, vectors.data, records, theta);
    for (std::size_t lane = 0; lane < records; ++lane) {
      expect_close(vectors.expected.at("records")[lane][p], in_double[lane], 1e-9,
                   gradient_tolerance, "lane " + std::to_string(lane) + " at " + where);
    }
    expect_close_in_single(lane_results<float>(model, vectors.data, records, theta), in_double,
                           where);
  }
}

void compare_with_stan(const std::filesystem::path& program) {
  const auto beside = [&](const char* ending) {
    return nlohmann::json::parse(
        read_text(std::filesystem::path(program).replace_extension(ending)));
  };
  const Vectors vectors{beside(".data.json"), beside(".json")};
  ReadModel read(read_text(program), options_from(vectors));
  const StanModel model = read.build();
  ASSERT_EQ(model.free_size, vectors.expected.at("dimension").get<int>());
  EXPECT_FALSE(model.prior_from_mock_record);
  // Stan's values for single records are differences of its sums and carry their rounding errors.
  const double tolerance = vectors.expected.at("gradient_tolerance").get<double>();
  const double gradient_tolerance = std::max(1e-8, tolerance);
  for (std::size_t p = 0; p < vectors.expected.at("theta").size(); ++p) {
    const auto theta = vectors.expected.at("theta")[p].get<std::vector<double>>();
    const auto& base = vectors.expected.at("base")[p];
    expect_close(base, reference_gradient(*model.graph, model.prior, theta), 1e-10,
                 gradient_tolerance, "prior at point " + std::to_string(p));
    compare_constrained(model, theta, vectors.expected.at("constrained")[p]);
    const std::size_t records = vectors.expected.at("records_total").get<std::size_t>();
    for (std::size_t i = 0; i < records; ++i) {
      const RecordNumbers record = record_from(model, vectors.data, i);
      expect_close(vectors.expected.at("records")[i][p],
                   reference_gradient(*model.graph, model.record, theta, record.values()), 1e-9,
                   gradient_tolerance,
                   "record " + std::to_string(i) + " at point " + std::to_string(p));
    }
  }
  compare_lanes(model, vectors, gradient_tolerance);
  EXPECT_EQ(read.factorises(), true);
}

class StanVectors : public testing::TestWithParam<std::string> {};

TEST_P(StanVectors, ValuesAndGradientsEqualStans) {
  const auto program = shared_folder() / "stan_vectors" / (GetParam() + ".stan");
  if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " not found; set DPVI_SHARED";
  compare_with_stan(program);
}

INSTANTIATE_TEST_SUITE_P(Programs, StanVectors,
                         testing::Values("survival_weibull", "survival_gamma",
                                         "count_negative_binomial", "ordinal_logistic",
                                         "proportion_beta_binomial", "count_zero_inflated",
                                         "multivariate_lkj", "regression_student_t",
                                         "user_functions", "categorical_matrix",
                                         "circular_von_mises", "skew_normal", "truncated_normal",
                                         "mixture_ordered", "mixture_simplex", "varying_slopes"),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace dpvi
