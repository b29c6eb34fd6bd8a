#include <gtest/gtest.h>

#include <fstream>

#include <dpvi/experiment/series.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr const char* kGood = R"([[series]]
figure = "fig2"
name = "DPVI"
table = "adult"
model = "logistic"
scaled_clip_bound = 50
sigma = [1, 2]
expected = [0.8, nan]
tolerance = 0.01
gate = "within"
quick = [2]
  [series.fit]
  steps = 2000
  sampling-rate = 0.005
)";

class ReadReading : public testing::Test {
 protected:
  ExperimentFile read(const std::string& text, QuickRules rules = {}) const {
    std::ofstream(file()) << text;
    return read_reading(file(), rules);
  }
  // Returns the valid description with one piece of text replaced.
  static std::string with(const std::string& old, const std::string& replacement) {
    std::string text = kGood;
    return text.replace(text.find(old), old.size(), replacement);
  }
  std::string refusal(const std::string& text) const {
    return error_text([&] { read(text); }, file());
  }
  std::string file() const { return (folder_.path() / "some-reading.toml").string(); }

  const TemporaryFolder folder_;
};

TEST_F(ReadReading, GivesOnePointForEachNumberAndNoTargetForNan) {
  const ExperimentFile reading = read(kGood);
  ASSERT_EQ(reading.series.size(), 1u);
  const Series& series = reading.series[0];
  EXPECT_EQ(series.reading, "some-reading");
  EXPECT_EQ(series.number("sampling-rate"), 0.005);
  EXPECT_EQ(series.number("clip-bound"), std::nullopt);
  ASSERT_EQ(series.points.size(), 2u);
  EXPECT_EQ(series.points[1].sigma, 2.0);
  ASSERT_TRUE(series.points[0].target);
  EXPECT_EQ(series.points[0].target->gate, GateKind::within);
  EXPECT_FALSE(series.points[1].target);
}

TEST_F(ReadReading, QuickKeepsTheListedPointsAndWidensGates) {
  const ExperimentFile reading =
      read(with("quick = [2]", "quick = [1]"), {.quick = true, .tolerance = 0.05});
  ASSERT_EQ(reading.series[0].points.size(), 1u);
  EXPECT_EQ(reading.series[0].points[0].sigma, 1.0);
  EXPECT_EQ(reading.series[0].points[0].target->tolerance, 0.05);
}

TEST_F(ReadReading, UnknownKeysAndWrongKindsAreRefusedWithTheirLine) {
  EXPECT_NE(refusal(with("quick =", "quikc =")).find("some-reading.toml:11"), std::string::npos);
  EXPECT_NE(refusal(with("quick =", "quikc =")).find("Did you mean 'quick'?"), std::string::npos);
  EXPECT_NE(refusal(with("figure", "figura")).find("'figure' is missing"), std::string::npos);
  EXPECT_NE(refusal(with("[1, 2]", "\"two\"")).find("some-reading.toml:7"), std::string::npos);
  EXPECT_NE(refusal("series = 3\n").find("error[DP371]"), std::string::npos);
  EXPECT_NE(refusal("[[series]\n").find("not valid TOML"), std::string::npos);
}

TEST_F(ReadReading, ListsOfUnequalLengthAreRefused) {
  EXPECT_NE(refusal(with("[0.8, nan]", "[0.8, 1, 2]")).find("3 numbers for 2 points"),
            std::string::npos);
}

TEST_F(ReadReading, APrivateSeriesSaysHowPrivate) {
  EXPECT_NE(refusal(with("sigma = [1, 2]", "delta = 0.001")).find("either 'sigma' or 'epsilon'"),
            std::string::npos);
}

}  // namespace
}  // namespace dpvi
