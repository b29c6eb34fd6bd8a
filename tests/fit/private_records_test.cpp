#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/fit/train/private_fit.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

bool go_on(std::int64_t, std::int64_t) { return true; }

// The noise of a whole run moves the mean of 5000 records by less than 0.01.
constexpr double kTolerance = 0.15;

PrivacyPlan cheap_run() {
  PrivacyRequest request;
  request.delta = 1e-6;
  request.noise_multiplier = 4.0;
  request.steps = 400;
  return plan_privacy(request);
}

class PrivateRecordsTest : public testing::Test {
 protected:
  PrivateFitPlan plan(const Binding& binding) const {
    const FitSettings settings;
    const MockStudy study = study_mock_records(program_.model, binding, kUndeclaredRows);
    return plan_private_fit(program_.model, binding, cheap_run(), settings, study);
  }

  UnopenedRecords file(const std::string& name, const std::string& content) const {
    BindingRequest request;
    request.variables = {program_variable()};
    request.table_file = folder_.write(name, content);
    return {std::move(request), std::vector<std::string>()};
  }

  static DataVariable program_variable() {
    DataVariable y;
    y.name = "y";
    y.per_record = true;
    y.type_description = "vector[N]";
    return y;
  }

  const TemporaryFolder folder_;
  const BoundProgram program_ = bind_program(kMeanProgram);
};

TEST_F(PrivateRecordsTest, RowsAreReadWhenTheyAreOpenedAndNotBefore) {
  const PrivateFitPlan finished = plan(program_.binding);
  int fills = 0;
  const FillRecords fill = [&](PreparedRecords& records) {
    ++fills;
    records.append(std::vector{1.0}, {});
  };
  EXPECT_EQ(fills, 0);
  const PrivateRecords records = open_records(finished, fill);
  EXPECT_EQ(fills, 1);
  EXPECT_EQ(&records.plan().privacy(), &finished.privacy());
}

TEST_F(PrivateRecordsTest, DamagedRowsAreNoticedAfterThePlanIsFinished) {
  const auto refusal = [&](const std::string& name, const std::string& content) {
    UnopenedRecords damaged = file(name, content);
    const PrivateFitPlan finished = plan(damaged.binding());
    return error_text([&] { open_records(finished, std::move(damaged)); }).substr(0, 12);
  };
  EXPECT_EQ(refusal("d.csv", "a,y\n1,2\n3\n"), "error[DP322]");
  EXPECT_EQ(refusal("d.csv", "y\n\"1\n"), "error[DP323]");
  EXPECT_EQ(refusal("d.json", R"({"N": 2, "y": [1]})"), "error[DP331]");
}

TEST_F(PrivateRecordsTest, PlanDoesNotDependOnRows) {
  for (const auto& [none, some] :
       {std::pair{file("a.csv", "z,y\n"), file("b.csv", "z,y\n,1e9\n2,-4\n")},
        std::pair{file("a.json", R"({"N": 0, "y": []})"),
                  file("b.json", R"({"N": 3, "y": [1, 1e9, "x"]})")}}) {
    const PrivateFitPlan one = plan(none.binding());
    const PrivateFitPlan other = plan(some.binding());
    EXPECT_EQ(one.loop().clip.first_bound, other.loop().clip.first_bound);
    EXPECT_EQ(one.loop().learning_rate, other.loop().learning_rate);
    EXPECT_EQ(one.start().location, other.start().location);
    EXPECT_EQ(one.start().scales, other.start().scales);
    EXPECT_EQ(one.model().precision, other.model().precision);
  }
}

TEST_F(PrivateRecordsTest, PlanForOtherColumnsOpensNothing) {
  const PrivateFitPlan finished = plan(file("a.csv", "z,y\n").binding());
  UnopenedRecords other = file("b.csv", "y,z\n1,2\n");
  EXPECT_THROW(open_records(finished, std::move(other)), InternalError);
}

TEST_F(PrivateRecordsTest, FileOfRecordsIsFittedByItsPlan) {
  std::string table = "y\n";
  for (int i = 0; i < 5000; ++i) table += i % 2 == 0 ? "3\n" : "5\n";
  UnopenedRecords records = file("d.csv", table);
  const PrivateFitPlan finished = plan(records.binding());
  const FittedPosterior fitted =
      fit_privately(open_records(finished, std::move(records)), {}, go_on);
  EXPECT_TRUE(fitted.completed);
  EXPECT_NEAR(fitted.family_parameters[0], 4.0, kTolerance);
}

TEST_F(PrivateRecordsTest, ModelWithoutMockRecordsHasAPlanToo) {
  const RecordModel& model = program_.model;
  FitSettings settings;
  settings.clip_bounds = {1.0};
  const PrivateFitPlan finished = plan_private_fit(
      {.tape = &model.tape(), .prior = &model.prior(), .used_by_records = model.used_by_records()},
      cheap_run(), settings);
  const FillRecords fill = [](PreparedRecords& records) {
    for (int i = 0; i < 5000; ++i) records.append(std::vector{i % 2 == 0 ? 1.0 : 2.0}, {});
  };
  const FittedPosterior fitted = fit_privately(open_records(finished, fill), {}, go_on);
  EXPECT_NEAR(fitted.family_parameters[0], 1.5, kTolerance);
  EXPECT_EQ(fitted.loop.coordinates, "theta");
}

}  // namespace
}  // namespace dpvi
