#include <dpvi/privacy/event.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/dp_event_json.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.message();
  }
  return "";
}

TEST(Event, EveryAccountantRefusesWrongRunsByFieldValueAndRule) {
  struct Wrong {
    GaussianPhase phase;
    const char* message;
  };
  const Wrong wrong[] = {
      {{0.0, 1.0, 1}, "sampling_rate is 0; it must be above 0 and at most 1."},
      {{-0.1, 1.0, 1}, "sampling_rate is -0.1; it must be above 0 and at most 1."},
      {{1.5, 1.0, 1}, "sampling_rate is 1.5; it must be above 0 and at most 1."},
      {{kNaN, 1.0, 1}, "sampling_rate is nan; it must be above 0 and at most 1."},
      {{0.1, 0.0, 1}, "noise_multiplier is 0; it must be positive and finite."},
      {{0.1, -1.0, 1}, "noise_multiplier is -1; it must be positive and finite."},
      {{0.1, kInfinity, 1}, "noise_multiplier is inf; it must be positive and finite."},
      {{0.1, kNaN, 1}, "noise_multiplier is nan; it must be positive and finite."},
      {{0.1, 1.0, -1}, "steps is -1; it must be 0 or more."}};
  for (const auto& [phase, message] : wrong) {
    const GaussianRun run{phase};
    const auto say = [&](auto&& call) { return refusal(call); };
    const auto adjacency = Adjacency::substitute;
    EXPECT_EQ(say([&] { pld_epsilon(run, adjacency, 1e-6); }), message);
    EXPECT_EQ(say([&] { pld_delta(run, adjacency, 1.0); }), message);
    EXPECT_EQ(say([&] { rdp(run, adjacency, 2.0); }), message);
    EXPECT_EQ(say([&] { rdp_epsilon(run, adjacency, 1e-6); }), message);
    EXPECT_EQ(say([&] { rdp_delta(run, adjacency, 1.0); }), message);
    EXPECT_EQ(say([&] { moments_epsilon(run, 1e-6); }), message);
    EXPECT_EQ(say([&] { advanced_composition_epsilon(run[0], 1e-3, 1e-5); }), message);
    EXPECT_EQ(say([&] { dp_event_json(run); }), message);
  }
}

TEST(Event, WrongTargetsAreRefusedByFieldValueAndRule) {
  const GaussianRun run{{0.1, 1.0, 10}};
  for (const double delta : {-0.1, 1.0, 1.5, kNaN}) {
    EXPECT_NE(refusal([&] { pld_epsilon(run, Adjacency::substitute, delta); }).find("delta is"),
              std::string::npos);
    EXPECT_NE(refusal([&] { rdp_epsilon(run, Adjacency::substitute, delta); }).find("delta is"),
              std::string::npos);
    EXPECT_NE(refusal([&] {
                calibrate_noise(run, {Adjacency::substitute, 1.0, delta});
              }).find("delta is"),
              std::string::npos);
  }
  for (const double epsilon : {-1.0, kInfinity, kNaN}) {
    EXPECT_NE(refusal([&] { pld_delta(run, Adjacency::substitute, epsilon); }).find("epsilon is"),
              std::string::npos);
    EXPECT_NE(refusal([&] {
                calibrate_steps(run[0], {Adjacency::substitute, epsilon, 1e-6});
              }).find("epsilon is"),
              std::string::npos);
  }
  for (const double order : {1.0, 0.5, kNaN, kInfinity})
    EXPECT_NE(refusal([&] { rdp(run, Adjacency::substitute, order); }).find("order is"),
              std::string::npos);
}

TEST(Event, TheWrongPhaseOfSeveralIsNamed) {
  EXPECT_EQ(refusal([] {
              validate(GaussianRun{{0.1, 1.0, 1}, {0.1, -2.0, 1}});
            }),
            "noise_multiplier of phase 2 is -2; it must be positive and finite.");
}

TEST(Event, MoreStepsThanCanBeComputedAreRefused) {
  EXPECT_NE(refusal([] {
              validate(GaussianRun{{0.1, 1.0, kMaxSteps}, {0.1, 1.0, 1}});
            }).find("at most"),
            std::string::npos);
}

TEST(DpEventJson, IsATreeOfNamedTuplesThatRoundTrips) {
  const auto tree = nlohmann::json::parse(
      dp_event_json(GaussianRun{{0.1, 1.0 / 3, 7}, {0.2, 1.0, 0}, {1.0, 2.0, 1}}));
  EXPECT_EQ(tree["module_name"], "dp_accounting.dp_event");
  EXPECT_EQ(tree["class_name"], "ComposedDpEvent");
  ASSERT_EQ(tree["events"].size(), 2);
  const auto& repeated = tree["events"][0];
  EXPECT_EQ(repeated["class_name"], "SelfComposedDpEvent");
  EXPECT_EQ(repeated["count"], 7);
  EXPECT_EQ(repeated["event"]["class_name"], "PoissonSampledDpEvent");
  EXPECT_EQ(repeated["event"]["sampling_probability"].get<double>(), 0.1);
  EXPECT_EQ(repeated["event"]["event"]["class_name"], "GaussianDpEvent");
  EXPECT_EQ(repeated["event"]["event"]["noise_multiplier"].get<double>(), 1.0 / 3);
}

}  // namespace
}  // namespace dpvi
