#include <gtest/gtest.h>

#include <string>

#include <dpvi/api/setting_texts.hpp>
#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

SettingTexts arguments() { return {.spelling = SettingTexts::Spelling::arguments}; }

std::string refusal(const SettingTexts& texts) {
  try {
    refuse_unknown_settings(texts);
    refuse_contradictions(texts);
    static_cast<void>(fit_request(texts));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SettingTexts, GiveTheRequestTheirValues) {
  SettingTexts texts = arguments();
  texts.values = {{"epsilon", "0.5"},          {"delta", "1e-7"},        {"steps", "1e3"},
                  {"sampling-rate", "0.2"},    {"family", "full-rank"},  {"rows", "5000"},
                  {"clip-bound", "1,2"},       {"draws", "250"},         {"init", "zero"},
                  {"adjacency", "add-remove"}, {"inspect-first", "true"}};
  const FitRequest request = fit_request(texts);
  EXPECT_EQ(request.privacy.epsilon, 0.5);
  EXPECT_EQ(request.privacy.delta, 1e-7);
  EXPECT_EQ(request.privacy.steps, 1000);
  EXPECT_EQ(request.privacy.sampling_rate, 0.2);
  EXPECT_EQ(request.privacy.adjacency, Adjacency::add_remove);
  EXPECT_EQ(request.settings.family, FamilyKind::full_rank);
  EXPECT_EQ(request.settings.rows, 5000.0);
  EXPECT_EQ(request.settings.clip_bounds, (std::vector<double>{1, 2}));
  EXPECT_EQ(request.settings.draws, 250);
  EXPECT_EQ(request.init, "zero");
  EXPECT_EQ(request.inspect_first, InspectFirst::yes);
}

TEST(SettingTexts, MessagesSpellNamesAsTheCallerDoes) {
  SettingTexts texts = arguments();
  texts.values = {{"noise-multiplier", "-1"}};
  EXPECT_NE(refusal(texts).find("noise_multiplier is '-1'; it must be above 0"), std::string::npos);
  EXPECT_EQ(refusal(texts).find("--"), std::string::npos);
  texts.spelling = SettingTexts::Spelling::flags;
  EXPECT_NE(refusal(texts).find("--noise-multiplier is '-1'"), std::string::npos);
}

TEST(SettingTexts, UnknownNamesGetTheNearestOne) {
  SettingTexts texts = arguments();
  texts.values = {{"sampling-rat", "0.1"}};
  EXPECT_NE(refusal(texts).find("Did you mean 'sampling_rate'?"), std::string::npos);
}

TEST(SettingTexts, ContradictionsAreRefused) {
  SettingTexts texts = arguments();
  texts.values = {{"epsilon", "1"}, {"seed", "3"}};
  EXPECT_NE(refusal(texts).find("seed needs non_private"), std::string::npos);
  texts.values = {{"epsilon", "1"}, {"non-private", "true"}};
  EXPECT_NE(refusal(texts).find("Leave out epsilon"), std::string::npos);
  texts.values = {{"epsilon", "1"}, {"rank", "3"}};
  EXPECT_NE(refusal(texts).find("rank needs family low-rank"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
