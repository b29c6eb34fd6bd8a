#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit.hpp>
#include <dpvi/api/pack_table.hpp>
#include <dpvi/fit/train/private_fit.hpp>
#include <dpvi/fit/train/step_store.hpp>
#include <tests/api/door_example.hpp>
#include <tests/support/temporary_folder.hpp>

// Attacks a whole fit by measurements: what it takes of the records, and what follows from them.
namespace dpvi {
namespace {

// Keeps the steps of one run and repeats them in another.
class KeptSteps : public StepStore {
 public:
  explicit KeptSteps(std::vector<RecordedStep>& steps, bool repeat)
      : steps_(steps), repeat_(repeat) {}

  std::optional<RecordedStep> next() override {
    if (!repeat_ || place_ == steps_.size()) return std::nullopt;
    return steps_[place_++];
  }
  void record(RecordedStep step) override { steps_.push_back(std::move(step)); }

 private:
  std::vector<RecordedStep>& steps_;
  bool repeat_;
  std::size_t place_ = 0;
};

Program program() {
  return read_program({.model_file = "m.stan",
                       .model_text = "data { int N; vector[N] x; vector[N] y; }\n"
                                     "parameters { real a; real b; real<lower=0> s; }\n"
                                     "model { a ~ normal(0, 1); b ~ normal(0, 1);\n"
                                     "  s ~ lognormal(0, 1); y ~ normal(a + b * x, s); }\n",
                       .schema_file = "s.toml",
                       .schema_text = "[table]\nrows = 500\n[columns.x]\nmean = 0\nsd = 1\n"});
}

// Records of a line; `other` ones have other values and another number.
MemoryTable line_records(bool other) {
  std::vector<double> x, y;
  for (int i = 0; i < (other ? 900 : 500); ++i) {
    x.push_back(0.01 * (i % 400) - 2.0);
    y.push_back(other ? 5.0 : 0.5 - 0.3 * x.back() + 0.25 * (i % 9 - 4));
  }
  return MemoryTable({{"x", Numbers(x)}, {"y", Numbers(y)}});
}

// A mixture whose components lie on one side of zero.
Program mixture() {
  return read_program({.model_file = "m.stan",
                       .model_text = "data { int N; vector[N] y; }\n"
                                     "parameters { vector[2] mu; real<lower=0, upper=1> w; }\n"
                                     "model { mu ~ normal(0, 4);\n"
                                     "  for (n in 1:N) target += log_mix(w,\n"
                                     "    normal_lpdf(y[n] | mu[1], 1),\n"
                                     "    normal_lpdf(y[n] | mu[2], 1)); }\n",
                       .schema_file = "s.toml",
                       .schema_text = "[table]\nrows = 3000\n[columns.y]\nmean = 0\nsd = 4\n"});
}

MemoryTable mixed_records(bool other) {
  std::vector<double> y;
  for (int i = 0; i < (other ? 900 : 3000); ++i) {
    const double residual = 0.02 * (i % 101) - 1.0;
    y.push_back(other ? 2.0 : (i % 3 == 0 ? 3.0 : 7.0) + 2.0 * residual);
  }
  return MemoryTable({{"y", Numbers(y)}});
}

FittedPosterior fit_table(const Program& program, const MemoryTable& table, StepStore* steps) {
  FitRequest request{.privacy = {.epsilon = 2.0, .delta = 1e-6}};
  request.settings.posterior = PosteriorKind::trace;
  UnopenedFit unopened = plan_fit(program, table, request);
  EXPECT_EQ(unopened.planned().posterior(), PosteriorKind::trace);
  const PrivateFitPlan plan = unopened.planned().plan();
  auto [bound, records] = bind_to_table(program, table);
  return fit_privately(open_records(plan, std::move(records), InspectFirst::no),
                       {.threads = 1, .recorded = steps},
                       [](std::int64_t, std::int64_t) { return true; });
}

FittedPosterior fit_line(bool other, StepStore* steps) {
  return fit_table(program(), line_records(other), steps);
}

// Guarantee: all iterates together cost what an accountant computes for the plan's phases of
// Poisson-sampled Gaussian steps.
TEST(WholeTrace, MakesTheReleasesOfItsPlan) {
  std::vector<RecordedStep> steps;
  KeptSteps kept(steps, false);
  const FittedPosterior fitted = fit_line(false, &kept);
  ASSERT_TRUE(fitted.privacy);
  const GaussianRun& run = fitted.privacy->plan().run;
  EXPECT_EQ(total_steps(run), 1 + kGradientReleases);
  EXPECT_EQ(steps.size(), static_cast<std::size_t>(total_steps(run)));
  for (const GaussianPhase& phase : run) EXPECT_EQ(phase.sampling_rate, 1.0);
}

// Counts come first, and cost what the plan says.
TEST(WholeTrace, MakesOneReleaseOfCountsForAMixture) {
  std::vector<RecordedStep> steps;
  KeptSteps kept(steps, false);
  const FittedPosterior fitted = fit_table(mixture(), mixed_records(false), &kept);
  ASSERT_TRUE(fitted.privacy);
  const GaussianRun& run = fitted.privacy->plan().run;
  EXPECT_EQ(total_steps(run), 2 + kGradientReleases);
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(total_steps(run)));
  EXPECT_EQ(run[0].steps, 1);
  EXPECT_EQ(steps[0].released.origin().noise_multiplier, run[0].noise_multiplier);
  EXPECT_EQ(steps[0].released.values().size(), 34u);  // bins
  double first = 0.0, all = 0.0;
  for (const GaussianPhase& phase : run) {
    EXPECT_EQ(phase.sampling_rate, 1.0);
    const double one = 1.0 / (phase.noise_multiplier * phase.noise_multiplier);
    all += one * static_cast<double>(phase.steps);
    if (&phase == &run.front()) first = one;
  }
  EXPECT_NEAR(first / all, kCountsShare, 1e-3);
}

TEST(WholeTrace, TheSiteOfAMixtureFollowsFromTheReleasesAlone) {
  std::vector<RecordedStep> steps;
  KeptSteps kept(steps, false), repeated(steps, true);
  const FittedPosterior first = fit_table(mixture(), mixed_records(false), &kept);
  const FittedPosterior second = fit_table(mixture(), mixed_records(true), &repeated);
  ASSERT_TRUE(first.site && second.site);
  EXPECT_EQ(first.site->components[0].mean, second.site->components[0].mean);
  EXPECT_EQ(first.site->components[0].precision, second.site->components[0].precision);
  EXPECT_EQ(first.measured->counts->chi_square, second.measured->counts->chi_square);
}

// The release of counts that a fit of a file makes before it is stopped, with keys that are the
// same in every fit.
std::vector<double> counts_of(const std::string& file, const RecordMemory& memory) {
  const SameKeys keys;
  std::vector<RecordedStep> steps;
  KeptSteps kept(steps, false);
  FitRequest request{.privacy = {.epsilon = 2.0, .delta = 1e-6}};
  request.settings.posterior = PosteriorKind::trace;
  const Program program = mixture();
  const PrivateFitPlan plan = plan_fit(program, TableFile{file}, request).planned().plan();
  auto [bound, records] = bind_to_table(program, TableFile{file});
  const FittedPosterior stopped = fit_privately(
      open_records(plan, std::move(records), InspectFirst::no, memory),
      {.threads = 2, .recorded = &kept}, [](std::int64_t, std::int64_t) { return false; });
  EXPECT_FALSE(stopped.privacy) << "the fit was stopped";
  EXPECT_EQ(steps.size(), 1u);
  const std::span<const double> values = steps.at(0).released.values();
  return {values.begin(), values.end()};
}

// Guarantee: what a window holds of a record depends on that record alone, and equals what a table
// in memory would hold.
TEST(WholeTrace, CountsTheRecordsOfAStore) {
  const TemporaryFolder folder;
  std::string csv = "y\n";
  for (int i = 0; i < 3000; ++i) {
    csv +=
        i % 50 == 0 ? "NA\n" : std::to_string((i % 3 == 0 ? 3.0 : 7.0) + 0.02 * (i % 101)) + "\n";
  }
  const std::string file = folder.write("y.csv", csv), store = folder.path_of("y.store");
  pack_table({.schema = mixture().inputs().schema, .table_file = file, .store_file = store});
  const std::vector<double> expected = counts_of(file, {});
  EXPECT_EQ(counts_of(store, {}), expected);
  EXPECT_EQ(counts_of(store, {.most_bytes = 0}), expected);
}

// The releases of one table are repeated in a fit of another. Everything that follows from them,
// the site, the evidence and the number of usable records, must be the same to the last bit.
TEST(WholeTrace, TheSiteFollowsFromTheReleasesAlone) {
  std::vector<RecordedStep> steps;
  KeptSteps kept(steps, false);
  const FittedPosterior first = fit_line(false, &kept);
  KeptSteps repeated(steps, true);
  const FittedPosterior second = fit_line(true, &repeated);
  ASSERT_TRUE(first.site && second.site);
  ASSERT_EQ(first.site->components.size(), second.site->components.size());
  for (std::size_t k = 0; k < first.site->components.size(); ++k) {
    EXPECT_EQ(first.site->components[k].mean, second.site->components[k].mean);
    EXPECT_EQ(first.site->components[k].precision, second.site->components[k].precision);
  }
  EXPECT_EQ(first.site_without_noise->components[0].precision,
            second.site_without_noise->components[0].precision);
  EXPECT_EQ(first.measured->records, second.measured->records);
  EXPECT_EQ(first.measured->residual_square, second.measured->residual_square);
  EXPECT_EQ(first.clip_bias, second.clip_bias);
}

}  // namespace
}  // namespace dpvi
