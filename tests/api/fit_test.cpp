#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include <dpvi/base/error.hpp>
#include <tests/api/door_example.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

FitRequest cheap(double epsilon = 1.0) {
  return {.privacy = {.epsilon = epsilon, .steps = 50}, .settings = {.draws = 20}};
}

FitResult fit_of(const Program& program, Table table, const FitRequest& request) {
  const SameKeys keys;
  return fit(open_records(plan_fit(program, std::move(table), request)), {.threads = 1});
}

class Door : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const WardRecords records_;
  const std::string file_ = folder_.write("records.csv", records_.csv);
  const Program program_ = ward_program();
};

TEST_F(Door, FileAndTableInMemoryGiveTheSamePosterior) {
  const FitResult from_file = fit_of(program_, TableFile{file_}, cheap());
  const FitResult from_memory = fit_of(program_, records_.in_memory(), cheap());
  EXPECT_EQ(from_file.fitted.parameters, from_memory.fitted.parameters);
  EXPECT_EQ(from_file.draws, from_memory.draws);
  EXPECT_EQ(from_file.draws.size(), 20u);
}

TEST_F(Door, BundleIsStampedWithTheCostOfThePlan) {
  UnopenedFit planned = plan_fit(program_, TableFile{file_}, cheap());
  const double epsilon = planned.planned().privacy().epsilon;
  const FitResult result = fit(open_records(std::move(planned)));
  write_bundle(result, folder_.path_of("result"));
  const OpenedBundle opened = open_bundle(folder_.path_of("result"));
  EXPECT_TRUE(opened.bundle.stamp.is_private);
  EXPECT_EQ(opened.bundle.stamp.epsilon, epsilon);
  EXPECT_EQ(opened.bundle.posterior.fitted.parameters, result.fitted.parameters);
  EXPECT_EQ(opened.bound.program.inputs().text, kWardProgram);
}

TEST_F(Door, FilesAndTextsInMemoryAreTheSameProgram) {
  const Program from_files =
      read_program({.model_file = folder_.write("wards.stan", kWardProgram),
                    .schema_file = folder_.write("wards.toml", kWardSchema),
                    .public_file = folder_.write("public.json", R"({"K": 2})")});
  EXPECT_EQ(from_files.inputs().text, program_.inputs().text);
  EXPECT_EQ(from_files.name(), program_.name());
  EXPECT_EQ(fit_of(from_files, TableFile{file_}, cheap()).fitted.parameters,
            fit_of(program_, TableFile{file_}, cheap()).fitted.parameters);
}

TEST_F(Door, NoRowIsReadBeforeRecordsAreOpened) {
  // The second row is damaged, which only a reader of rows can notice.
  const TableFile damaged{folder_.write("damaged.csv", "ward,y\nmedical,1\nmedical\n")};
  UnopenedFit planned = plan_fit(program_, damaged, cheap());
  EXPECT_EQ(error_text([&] { open_records(std::move(planned)); }).substr(0, 12), "error[DP322]");
}

TEST_F(Door, DryRunNeedsNoTable) {
  const PlannedFit planned = plan_fit(program_, cheap());
  EXPECT_LE(planned.privacy().epsilon, 1.0);
  EXPECT_EQ(planned.privacy().delta, kDefaultDelta);
  ASSERT_TRUE(planned.forecast());
  EXPECT_EQ(planned.forecast()->noise_sd, planned.forecast_for(300).noise_sd);
  EXPECT_GT(planned.forecast()->noise_sd[0], planned.forecast_for(3000).noise_sd[0]);
}

TEST_F(Door, PlanIsTheSameWithAndWithoutATable) {
  const PlannedFit dry = plan_fit(program_, cheap());
  const UnopenedFit planned = plan_fit(program_, records_.in_memory(), cheap());
  EXPECT_EQ(dry.privacy().epsilon, planned.planned().privacy().epsilon);
  EXPECT_EQ(dry.plan().loop().clip.first_bound, planned.planned().plan().loop().clip.first_bound);
}

TEST_F(Door, StoppedFitSaysThatItsBudgetIsSpent) {
  OpenedFit opened = open_records(plan_fit(program_, TableFile{file_}, cheap()));
  std::int64_t calls = 0;
  const FitProgress stop = [&](std::int64_t done, std::int64_t all) {
    ++calls;
    EXPECT_EQ(all, 50);
    return done < 3;
  };
  const std::string text = error_text<Error>([&] { fit(std::move(opened), {.progress = stop}); });
  EXPECT_EQ(text.substr(0, 12), "error[DP501]");
  EXPECT_NE(text.find("budget"), std::string::npos) << text;
  EXPECT_EQ(calls, 3);
}

TEST_F(Door, TimesGoToTheCallerAlone) {
  double seconds = -1.0;
  fit(open_records(plan_fit(program_, TableFile{file_}, cheap())),
      {.profile = [&](const LoopTimes& times) { seconds = times.all(); }});
  EXPECT_GE(seconds, 0.0);
}

TEST_F(Door, UnprotectedFitIsStampedAndRepeatsWithItsSeed) {
  const UnprotectedFitRequest request{.settings = {.draws = 20}, .steps = 100, .seed = 3};
  const auto fitted = [&](Table table) {
    return fit_without_protection(open_unprotected_records(program_, std::move(table), request));
  };
  const FitResult result = fitted(TableFile{file_});
  EXPECT_FALSE(result.privacy);
  EXPECT_EQ(result.fitted.parameters, fitted(records_.in_memory()).fitted.parameters);
  write_bundle(result, folder_.path_of("result"));
  EXPECT_FALSE(open_bundle(folder_.path_of("result")).bundle.stamp.is_private);
}

TEST_F(Door, PrivateFitDoesNotStartFromAnUnprotectedBundle) {
  const FitResult unprotected = fit_without_protection(
      open_unprotected_records(program_, TableFile{file_}, {.settings = {.draws = 5}, .steps = 5}));
  write_bundle(unprotected, folder_.path_of("start"));
  FitRequest request = cheap();
  request.init = folder_.path_of("start");
  EXPECT_EQ(error_text<LeakError>([&] { plan_fit(program_, request); }).substr(0, 12),
            "error[DP351]");
}

TEST_F(Door, RefusesSettingsOutsideTheirRules) {
  const auto refusal = [&](const FitRequest& request) {
    return error_text<UsageError>([&] { plan_fit(program_, TableFile{file_}, request); });
  };
  const auto with = [](auto change) {
    FitRequest request = cheap();
    change(request);
    return request;
  };
  for (const auto& [request, words] : std::vector<std::pair<FitRequest, std::string>>{
           {{}, "[DP103] epsilon is missing."},
           {with([](FitRequest& r) { r.privacy.noise_multiplier = 2.0; }),
            "[DP103] epsilon and noise-multiplier contradict"},
           {cheap(-1.0), "[DP102] epsilon is -1"},
           {with([](FitRequest& r) { r.privacy.delta = 1.0; }), "[DP102] delta is 1"},
           {with([](FitRequest& r) { r.settings.clip_bounds = {0.0}; }), "[DP102] clip-bound is 0"},
           {with([](FitRequest& r) {
              r.settings.clip_bounds = {1.0, 2.0};
            }),
            "[DP103] clip-bound gives 2 bounds for 1 phases"},
           {with([](FitRequest& r) { r.settings.rank = 0; }), "[DP102] rank is 0"},
           {with([](FitRequest& r) { r.settings.rows = 0.0; }), "[DP102] rows is 0"},
           {with([](FitRequest& r) { r.settings.draws = 0; }), "[DP102] draws is 0"},
           {with([](FitRequest& r) { r.settings.learning_rate = -1.0; }),
            "[DP102] learning-rate is -1"},
           {with([](FitRequest& r) { r.settings.initial_scale = 0.0; }),
            "[DP102] initial-scale is 0"}}) {
    EXPECT_NE(refusal(request).find(words), std::string::npos) << refusal(request) << words;
  }
}

TEST_F(Door, RefusesToRunWithoutThreads) {
  OpenedFit opened = open_records(plan_fit(program_, TableFile{file_}, cheap()));
  EXPECT_THROW(fit(std::move(opened), {.threads = 0}), UsageError);
}

TEST_F(Door, RefusesColumnsThatTheTableLacks) {
  const std::vector<double> numbers = {1.0};
  const MemoryTable other({{"y", Numbers(numbers)}});
  EXPECT_EQ(error_text([&] { plan_fit(program_, other, cheap()); }).substr(0, 12), "error[DP321]");
}

TEST_F(Door, RefusesAFolderThatExistsBeforeAFitSpendsItsBudget) {
  EXPECT_THROW(check_can_write_bundle(folder_.path()), CannotCreateError);
  EXPECT_NO_THROW(check_can_write_bundle(folder_.path_of("new")));
}

}  // namespace
}  // namespace dpvi
