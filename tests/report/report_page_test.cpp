#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/page/belief.hpp>
#include <dpvi/report/page/plan_explorer.hpp>
#include <dpvi/report/page/report_page.hpp>
#include <tests/support/temporary_folder.hpp>

#include "example_result.hpp"
#include "markup_checks.hpp"

namespace dpvi {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ReportPage : public testing::Test {
 protected:
  // Writes the bundle of a result and returns its files.
  BundleTexts bundle_of(const FitResult& result) {
    const fs::path folder = place_.path() / "bundle";
    write_bundle(result, {"1.2.3", "abc"}, folder);
    return read_bundle_texts(folder);
  }

  fs::path folder() const { return place_.path() / "bundle"; }

  TemporaryFolder place_;
};

// Guarantee: a report is a function of the files of the bundle, and no name or text in them becomes
// markup or a script. tests/browser opens such a bundle.
TEST_F(ReportPage, IsAFunctionOfTheFilesOfTheBundle) {
  const BundleTexts texts = bundle_of(example_result());
  EXPECT_EQ(report_html(texts), text_of(folder() / "report.html"));
}

// A probability that a fit pushed against its bound is such a number.
TEST_F(ReportPage, DrawsMayBeTheSmallestAndTheLargestNumbers) {
  FitResult result = example_result();
  result.draws[0][0] = 5e-310;
  result.draws[1][0] = std::numeric_limits<double>::max();
  result.trace.path = IteratePath(1, 2);
  result.trace.path.add(1, std::vector<double>{5e-310, 0.1});
  const BundleTexts texts = bundle_of(result);
  EXPECT_EQ(report_html(texts), text_of(folder() / "report.html"));
}

TEST_F(ReportPage, NoTextOfTheBundleBecomesMarkup) {
  FitResult result = example_result();
  const std::string attack = "</script><script>evil()</script>";
  result.model_name = result.model_text = result.schema_text = attack;
  result.public_facts = result.dropped_quantities = {attack};
  result.verdict.reasons[0].words = attack;
  BundleTexts texts = bundle_of(result);
  std::string& draws = texts.files["draws.csv"];
  draws.replace(draws.find(",alpha,"), 7, "," + attack + ",");
  const std::string page = report_html(texts);
  EXPECT_EQ(page.find("<script>evil"), std::string::npos);
  EXPECT_EQ(count(page, "<script>"), 1U);  // our own
  EXPECT_NE(page.find("&lt;script&gt;evil()"), std::string::npos);
}

TEST_F(ReportPage, LoadsNothing) {
  std::string page = report_html(bundle_of(example_result()));
  for (const char* words : {"src=", "href=\"http", "url(http", "@import", "<link", "<img"}) {
    EXPECT_EQ(page.find(words), std::string::npos) << words;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST_F(ReportPage, ShowsThePrivacyStatementWithTheBeliefThatEpsilonAllows) {
  const std::string page = report_html(bundle_of(example_result()));
  EXPECT_NE(page.find("&epsilon;"), std::string::npos);
  EXPECT_NE(page.find("at most 58.3 % sure"), std::string::npos);
  EXPECT_NE(page.find("The operator is trusted"), std::string::npos);
  EXPECT_NE(page.find("K is 3."), std::string::npos);
  EXPECT_NE(page.find("y_rep"), std::string::npos);
}

TEST_F(ReportPage, AnUnprotectedFitIsStampedNotPrivateFirst) {
  const std::string page = report_html(bundle_of(unprotected_example()));
  EXPECT_LT(page.find("NOT PRIVATE"), page.find("<nav"));
  EXPECT_EQ(page.find("Differentially private:"), std::string::npos);
}

// A bundle of version 0.2: no parts of the standard deviation, no verdict, no pictures.
TEST_F(ReportPage, BundlesOfVersion02HaveAReport) {
  BundleTexts texts = bundle_of(example_result());
  std::string& posterior = texts.files["posterior.json"];
  std::string sds;
  for (std::size_t j = 0; j < kExampleColumns; ++j) sds += j == 0 ? "0.5" : ", 0.5";
  posterior =
      "{\"private\": true, \"family\": \"mean-field\", \"unconstrained\": {\"names\": [\"alpha\", "
      "\"beta.1\"], \"mean\": [0.1, 0.2], \"scale\": [0.5, 1.5]}, \"trace\": {\"status\": "
      "\"drifting\", \"r_hat\": [1, 1], \"effective_size\": [9, 9], \"mean_sd\": [0.1, 0.1], "
      "\"output_mean_sd\": [" +
      sds + "]}}";
  texts.files.erase("run.json");
  texts.files.erase("model.stan");
  const std::string page = report_html(texts);
  EXPECT_NE(page.find("Optimisation: <strong>drifting</strong>"), std::string::npos);
  EXPECT_EQ(page.find("Released iterates"), std::string::npos);
  EXPECT_NE(page.find("smallest effective sample size of the iterates</th><td>9<"),
            std::string::npos);
  EXPECT_EQ(page.find("Noise: forecast"), std::string::npos);
  EXPECT_NE(page.find("without the privacy noise"), std::string::npos);
}

TEST_F(ReportPage, DamagedPartsForPicturesAreRefused) {
  const BundleTexts whole = bundle_of(example_result());
  const auto expect_refusal = [&](const std::string& old_words, const std::string& new_words) {
    BundleTexts texts = whole;
    std::string& text = texts.files["posterior.json"];
    const std::size_t at = text.find(old_words);
    ASSERT_NE(at, std::string::npos) << old_words;
    text.replace(at, old_words.size(), new_words);
    EXPECT_THROW(report_html(texts), InputError) << new_words;
  };
  expect_refusal("\"steps\": []", "\"steps\": [1]");
  expect_refusal("\"steps\": []", "\"steps\": \"x\"");
  expect_refusal("\"priors\": {}", "\"priors\": [1]");
  expect_refusal("\"priors\": {}", "\"priors\": {\"a\": {\"value\": [1]}}");
  expect_refusal("\"priors\": {}", "\"priors\": {\"a\": {\"value\": [1], \"density\": []}}");
  expect_refusal("\"forecast\": null", "\"forecast\": {\"noise_sd\": 1}");
}

TEST_F(ReportPage, PicturesOfTheRunAreDrawnIfTheBundleHasThem) {
  FitResult result = example_result();
  result.trace.path = IteratePath(100, 2);
  for (int step = 1; step <= 100; ++step) {
    result.trace.path.add(step, std::vector{0.01 * step, 1.0});
  }
  result.forecast = {{0.1, 0.2}, {0.3, 0.4}};
  result.prior_curves = {{0, {0.0, 20.0, 40.0}, {0.01, 0.02, 0.01}}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("Course of the fit"), std::string::npos);
  EXPECT_NE(page.find(">averaged<"), std::string::npos);
  EXPECT_NE(page.find("Noise: forecast and outcome"), std::string::npos);
  EXPECT_EQ(count(page, ">prior<"), 1U);
}

// A scale of a diverged fit may be too small for a number.
TEST_F(ReportPage, AFitWithScalesOfZeroHasAReport) {
  FitResult result = example_result();
  const Family& family = *result.fitted.family;
  result.fitted.parameters =
      family.parameters(family.location(result.fitted.parameters), {{0.0, 1.5}});
  result.location_noise = LocationNoise::of_sds({0.0, 0.1});
  result.total = with_noise(result.fitted, result.location_noise);
  result.privacy = executed(example_plan(), result.fitted.parameters);
  result.verdict = {FitStatus::failed, {{FitStatus::failed, "the run diverged", {"beta.1"}}}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("must not be used"), std::string::npos);
  EXPECT_NE(page.find("the run diverged: beta, coordinate 1"), std::string::npos);
}

TEST_F(ReportPage, AFitByMeasurementsShowsItsEstimatesAndDiagnostics) {
  FitResult result = sampled_example();
  result.loop.posterior = "trace";
  result.evidence.measured = MeasurementEvidence{
      .residual_square = 0.96, .residuals = 148.0, .records = 4969.4, .records_sd = 75.6};
  result.trace.path = IteratePath(41, 2);
  for (int step = 1; step <= 41; ++step) result.trace.path.add(step, std::vector{0.1, 0.2});
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("Every release was a measurement"), std::string::npos);
  EXPECT_NE(page.find(">estimate<"), std::string::npos);
  EXPECT_EQ(page.find(">averaged<"), std::string::npos);
  EXPECT_NE(page.find("4969 &plusmn; 76"), std::string::npos);
  EXPECT_NE(page.find("0.96 of 148"), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"row\">divergences</th><td>1</td>"), std::string::npos);
  EXPECT_NE(page.find("They are Markov chains"), std::string::npos);
}

TEST_F(ReportPage, AForecastIsComparedInWords) {
  FitResult result = example_result();
  result.forecast = {{0.025, 0.05}, {0.3, 0.4}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("<p>The noise was typically 2 times the forecast, and for single parameters "
                      "1 to 2 times."),
            std::string::npos);
}

TEST_F(ReportPage, AForecastThatWasFarOffIsANote) {
  FitResult result = example_result();
  result.forecast = {{0.0025, 0.05}, {0.3, 0.4}};
  EXPECT_NE(report_html(bundle_of(result)).find("<p class=\"note\">The noise was typically 20"),
            std::string::npos);
}

TEST_F(ReportPage, AForecastThatWasTooCautiousBlamesNoFact) {
  FitResult result = example_result();
  result.forecast = {{5.0, 5.0}, {0.3, 0.4}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("The forecast was too cautious"), std::string::npos);
  EXPECT_EQ(page.find("The declared facts or"), std::string::npos);
}

TEST_F(ReportPage, AFailedFitIsNotComparedWithItsForecast) {
  FitResult result = example_result();
  result.forecast = {{0.0025, 0.05}, {0.3, 0.4}};
  result.verdict.status = FitStatus::failed;
  const std::string page = report_html(bundle_of(result));
  EXPECT_EQ(page.find("The noise was"), std::string::npos);
  EXPECT_NE(page.find("The fit failed, so"), std::string::npos);
}

TEST_F(ReportPage, AParameterThatRecordsDoNotTouchHasNoForecast) {
  FitResult result = example_result();
  result.forecast = {{1e-13, 0.05}, {0.3, 0.4}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("because records do not touch them directly:</p>\n<ul>\n<li>alpha</li>"),
            std::string::npos);
  EXPECT_NE(page.find("The noise was 1 times the forecast."), std::string::npos);
}

TEST_F(ReportPage, IndicesHaveTheirNames) {
  FitResult result = example_result();
  result.inputs.index_names = {{"beta", {{"north", "<b>south</b>", "west, 2"}}},
                               {"Sigma", {{}, {"x", "y", "z"}}}};
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("<th scope=\"row\">beta[1] <span>north</span></th>"), std::string::npos);
  EXPECT_NE(page.find("<span>&lt;b&gt;south&lt;/b&gt;</span>"), std::string::npos);
  EXPECT_NE(page.find("Sigma[2,3] <span>2, z</span>"), std::string::npos);
  EXPECT_NE(page.find("aria-label=\"Sigma[2, z]\""), std::string::npos);
  EXPECT_NE(page.find(">north</text>"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"row\">z[1,1,1]</th>"), std::string::npos);
}

TEST_F(ReportPage, DamagedIndexNamesAreRefused) {
  BundleTexts texts = bundle_of(example_result());
  const std::string whole = texts.files["run.json"], start = "\"index_names\": {}";
  for (const char* damaged : {"\"index_names\": 1", "\"index_names\": {\"beta\": 1}",
                              "\"index_names\": {\"beta\": [1]}"}) {
    std::string& text = texts.files["run.json"] = whole;
    text.replace(text.find(start), start.size(), damaged);
    EXPECT_THROW(report_html(texts), InputError) << damaged;
  }
}

TEST_F(ReportPage, AFailedFitWarnsBesideItsNumbers) {
  FitResult result = example_result();
  result.verdict.status = FitStatus::failed;
  const std::string page = report_html(bundle_of(result));
  EXPECT_LT(page.find("The fit failed. These"), page.find("Intervals of 90 %"));
}

TEST_F(ReportPage, TheStudyIsNamed) {
  FitResult result = example_result();
  result.study.title = "Stays <in> care";
  result.study.controller = "Hospital & co";
  const std::string page = report_html(bundle_of(result));
  EXPECT_NE(page.find("<h1>Stays &lt;in&gt; care</h1>"), std::string::npos);
  EXPECT_NE(page.find("controller of the data</th><td>Hospital &amp; co<"), std::string::npos);
  EXPECT_NE(page.find("Stays &lt;in&gt; care. Hospital &amp; co. Posterior of the model"),
            std::string::npos);
}

TEST_F(ReportPage, DeltaIsSaidInPlainWords) {
  const std::string page = report_html(bundle_of(example_result()));
  EXPECT_NE(page.find("&delta; = 1e-06 (one in 1,000,000)"), std::string::npos);
  EXPECT_NE(page.find("A belief of 50 % becomes at most 58.3 %"), std::string::npos);
}

TEST(Markup, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escaped_markup("\"<&>'\""), "&quot;&lt;&amp;&gt;&#39;&quot;");
  EXPECT_EQ(escaped_markup("Jälkö ε 😀\n\t"), "Jälkö ε 😀\n\t");
}

// Guarantee: the result is UTF-8 without markup, control characters or marks that change the
// direction of writing.
TEST(Markup, TheResultIsUtf8WithoutMarkupControlCharactersOrMarks) {
  const std::string replaced = "\xEF\xBF\xBD";
  for (const std::string& hidden :
       {std::string(1, '\0'), std::string("\x1b"), std::string("\x7f"), std::string("\r"),
        std::string("\xc2\x85"), std::string("\xe2\x80\xae"), std::string("\xe2\x81\xa6"),
        std::string("\xef\xbb\xbf"), std::string("\xff"), std::string("\xc0")}) {
    EXPECT_EQ(escaped_markup("a" + hidden + "b"), "a" + replaced + "b");
  }
  EXPECT_EQ(escaped_markup("\xe2\x80"), replaced + replaced);                 // cut short
  EXPECT_EQ(escaped_markup("\xed\xa0\x80"), replaced + replaced + replaced);  // a surrogate
  for (int lead = 0; lead < 256; ++lead) {
    const std::string bytes = {static_cast<char>(lead), '<', '>'};
    EXPECT_EQ(escaped_markup(bytes).find('<'), std::string::npos);
  }
}

// Guarantee: the result is one line of UTF-8 that shows the text, without markup.
TEST(EscapedMarkdown, ShowsTheTextOnOneLineWithoutMarkup) {
  EXPECT_EQ(escaped_markdown("Jälkö ε, 5 % (2026)_a_!"), "Jälkö ε, 5 % (2026)_a_!");
  EXPECT_EQ(escaped_markdown("a\n\n# b\t|c|"), "a  # b \\|c\\|");
  EXPECT_EQ(escaped_markdown("[a](b) `c` <d> \\|"), "\\[a](b) \\`c\\` \\<d> \\\\\\|");
  EXPECT_EQ(escaped_markdown("a\x1b\xe2\x80\xae\xff"), "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(markdown_code("a`b|\n<c>"), "`a'b\\| <c>`");
}

TEST(Markup, ShortenedTextsKeepWholeLetters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "a…d");
  EXPECT_EQ(shortened("äöüß", 3), "ä…ß");
  EXPECT_EQ(shortened("a_name_that_is_long", 9), "a_nam…ong");
  EXPECT_EQ(shortened("a_name_that_is_long[12]", 9), "a_na…[12]");
  EXPECT_EQ(shortened("a[123456789]", 4), "a[…]");
  EXPECT_EQ(letter_count("äö\xff"), 3U);
  EXPECT_EQ(shortened("", 3), "");
}

TEST(Belief, FollowsBayesRule) {
  EXPECT_NEAR(highest_belief(1.0, 0.5), 0.7310585786300049, 1e-15);
  EXPECT_NEAR(lowest_belief(1.0, 0.5), 1.0 - 0.7310585786300049, 1e-15);
  EXPECT_EQ(highest_belief(0.0, 0.3), 0.3);
  EXPECT_EQ(highest_belief(100.0, 0.0), 0.0);
  EXPECT_EQ(highest_belief(2000.0, 0.5), 1.0);
}

TEST(Belief, PercentagesAreNotRoundedToCertainty) {
  EXPECT_EQ(percentage(0.99999), "above 99.95 %");
  EXPECT_EQ(percentage(1e-9), "below 0.05 %");
  EXPECT_EQ(percentage(0.731), "73.1 %");
}

TEST(Belief, AChangeIsShownHoweverSmall) {
  EXPECT_EQ(changed_percentage(0.731, 0.5), "73.1 %");
  EXPECT_EQ(changed_percentage(0.50025, 0.5), "50.02 %");
  EXPECT_EQ(changed_percentage(0.4999, 0.5), "49.99 %");
  EXPECT_EQ(changed_percentage(0.5, 0.5), "50 %");
  EXPECT_EQ(changed_percentage(0.99999, 0.9), "above 99.95 %");
  EXPECT_NE(belief_table(0.001).find("50.02 %"), std::string::npos);
}

TEST(ShownNames, WideLettersCountTwice) {
  EXPECT_EQ(letter_count("ward"), 4U);
  EXPECT_EQ(letter_count("日本語"), 6U);
  EXPECT_EQ(letter_count("😀 é"), 4U);
  EXPECT_EQ(shortened("日本語日本語", 7), "日本…語");
  EXPECT_EQ(shortened("effect[日本語]", 12), "eff…[日本語]");
  EXPECT_EQ(shortened("effect[日本語]", 14), "effect[日本語]");
}

TEST_F(ReportPage, WithoutPrivacyNoiseTheStandardDeviationHasNoParts) {
  FitResult result = example_result();
  EXPECT_NE(report_html(bundle_of(result)).find(">sd privacy</th>"), std::string::npos);
  fs::remove_all(folder());
  result.privacy.reset();
  EXPECT_EQ(report_html(bundle_of(result)).find(">sd privacy</th>"), std::string::npos);
}

TEST(Sha256, Base64IsThatOfTheKnownDigest) {
  EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(PlanExplorer, HoldsThePlanItselfAndNoiseThatFallsWithEpsilon) {
  PrivacyRequest request;
  request.epsilon = 0.8;
  request.delta = 1e-5;
  request.steps = 50;
  request.sampling_rate = 1.0;
  const PrivacyPlan plan = plan_privacy(request);
  const ExplorerGrid grid = explorer_grid(plan);
  EXPECT_EQ(grid.epsilons[grid.chosen_epsilon], plan.epsilon);
  EXPECT_EQ(grid.steps[grid.chosen_steps], 50);
  EXPECT_EQ(grid.noise_multiplier[grid.chosen_steps][grid.chosen_epsilon],
            plan.run[0].noise_multiplier);
  EXPECT_TRUE(std::ranges::is_sorted(grid.epsilons));
  EXPECT_TRUE(std::ranges::is_sorted(grid.steps));
  for (const std::vector<double>& row : grid.noise_multiplier) {
    EXPECT_TRUE(std::ranges::is_sorted(row, std::greater<>()));
  }
}

TEST(PlanExplorer, APlanNearAGridPointReplacesIt) {
  PrivacyRequest request;
  request.epsilon = 1.0;
  request.delta = 1e-5;
  request.steps = 1000;
  request.sampling_rate = 1.0;
  const ExplorerGrid grid = explorer_grid(plan_privacy(request));
  EXPECT_EQ(grid.epsilons.size(), 12U);
  EXPECT_EQ(grid.steps.size(), 4U);
  EXPECT_NE(explorer_html(grid).find("privacy noise, epsilon 1<"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
