#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/manifest.hpp>
#include <tests/support/temporary_folder.hpp>

#include "example_result.hpp"

namespace dpvi {
namespace {

const ProgramVersion kWriter{"1.2.3", "abc"};

// Writes a bundle of a plan whose claim was changed before the statement was written, so that all
// files and hashes agree.
std::filesystem::path bundle_claiming(double epsilon, const TemporaryFolder& place) {
  FitResult result = example_result();
  PrivacyPlan plan = example_plan();
  plan.epsilon = epsilon;
  result.privacy = executed(plan, result.fitted.parameters);
  write_bundle(result, kWriter, place.path() / "bundle");
  return place.path() / "bundle";
}

TEST(BundleVerification, AnUntouchedBundleHolds) {
  const TemporaryFolder place;
  const auto folder = bundle_claiming(example_plan().epsilon, place);
  const BundleVerification found = verify_bundle(folder);
  EXPECT_TRUE(found.differences.empty());
  EXPECT_TRUE(found.has_manifest);
  EXPECT_EQ(found.files.size(), 9U);
  EXPECT_EQ(found.epsilon_claimed, example_plan().epsilon);
  EXPECT_LE(*found.epsilon_recomputed, *found.epsilon_claimed);
}

// Guarantee: a claimed epsilon below the cost of the event tree is a difference.
TEST(BundleVerification, AClaimBelowTheCostOfTheEventTreeIsADifference) {
  for (const double epsilon : {0.0, 0.1, 0.2}) {
    const TemporaryFolder place;
    const auto folder = bundle_claiming(epsilon, place);
    const BundleVerification found = verify_bundle(folder);
    ASSERT_EQ(found.differences.size(), 1U) << epsilon;
    EXPECT_NE(found.differences[0].find("costs at least"), std::string::npos);
    EXPECT_THROW(read_bundle(folder), InputError);
  }
}

// Guarantee: a number of a statement that promises more than its event tree is a difference.
TEST(BundleVerification, ADerivedNumberBelowTheCostOfTheEventTreeIsADifference) {
  const auto differences_of = [](PrivacyPlan plan) {
    const TemporaryFolder place;
    FitResult result = example_result();
    result.privacy = executed(plan, result.fitted.parameters);
    write_bundle(result, kWriter, place.path() / "bundle");
    return verify_bundle(place.path() / "bundle").differences;
  };
  PrivacyPlan other_adjacency = example_plan();
  other_adjacency.epsilon_add_remove = 0.05;
  PrivacyPlan lower_end = example_plan();
  lower_end.accountants.front().second.epsilon_ends->lower = 0.333;
  const auto by_adjacency = differences_of(other_adjacency), by_end = differences_of(lower_end);
  ASSERT_EQ(by_adjacency.size(), 1U);
  EXPECT_NE(by_adjacency[0].find("epsilon_other_adjacency is 0.05"), std::string::npos);
  ASSERT_EQ(by_end.size(), 1U);
  EXPECT_NE(by_end[0].find("costs at most"), std::string::npos);
}

TEST(BundleVerification, AFitWithoutProtectionHasNoClaimToVerify) {
  const TemporaryFolder place;
  write_bundle(unprotected_example(), kWriter, place.path() / "bundle");
  const BundleVerification found = verify_bundle(place.path() / "bundle");
  EXPECT_TRUE(found.differences.empty());
  EXPECT_FALSE(found.epsilon_claimed.has_value());
}

TEST(BundleVerification, TheMarkOfALedgerIsReadBack) {
  const TemporaryFolder place;
  FitResult result = example_result();
  result.ledger = LedgerMark{.ledger = "abc", .entry = 3, .position = 14, .head = "def"};
  write_bundle(result, kWriter, place.path() / "bundle");
  const auto mark = verify_bundle(place.path() / "bundle").ledger;
  ASSERT_TRUE(mark.has_value());
  EXPECT_EQ(mark->ledger, "abc");
  EXPECT_EQ(mark->entry, 3);
  EXPECT_EQ(mark->position, 14);
  EXPECT_EQ(mark->head, "def");
}

}  // namespace
}  // namespace dpvi
