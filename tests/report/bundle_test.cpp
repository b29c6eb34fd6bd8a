#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <tests/support/temporary_folder.hpp>

#include "example_result.hpp"

namespace dpvi {
namespace {

namespace fs = std::filesystem;

const ProgramVersion kProgram{"1.2.3", "abc"};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> sorted_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Bundle, HoldsTheNamedFilesAndModelAndSchemaAsRead) {
  const TemporaryFolder place;
  FitResult result = example_result();
  write_bundle(result, kProgram, place.path() / "with");
  EXPECT_EQ(sorted_names(place.path() / "with"),
            (std::vector<std::string>{"draws.csv", "manifest.json", "model.stan", "posterior.json",
                                      "posterior.nc", "report.html", "run.json", "schema.toml",
                                      "statement.json", "statement.md"}));
  EXPECT_EQ(content(place.path() / "with" / "model.stan"), result.model_text);
  EXPECT_EQ(content(place.path() / "with" / "schema.toml"), result.schema_text);
  result.schema_text.clear();
  write_bundle(result, kProgram, place.path() / "without");
  EXPECT_FALSE(fs::exists(place.path() / "without" / "schema.toml"));
}

TEST(Bundle, ReadsBackAsWritten) {
  for (const FamilyKind kind : kFamilies) {
    const TemporaryFolder place;
    const FitResult result = example_result(kind);
    write_bundle(result, kProgram, place.path() / "bundle");
    const Bundle bundle = read_bundle(place.path() / "bundle");
    EXPECT_TRUE(bundle.stamp.is_private);
    EXPECT_EQ(bundle.stamp.epsilon, result.privacy->plan().epsilon);
    EXPECT_EQ(bundle.stamp.delta, result.privacy->plan().delta);
    EXPECT_EQ(bundle.stamp.adjacency, "substitute");
    EXPECT_EQ(bundle.draws.draws, result.draws);
    EXPECT_EQ(bundle.posterior.fitted.family->description().name, name_of(kind));
    EXPECT_EQ(bundle.posterior.unconstrained_names, result.unconstrained_names);
    ASSERT_EQ(bundle.posterior.fitted.parameters.size(), result.fitted.parameters.size());
    for (std::size_t i = 0; i < result.fitted.parameters.size(); ++i) {
      // A scale passes through exp and log.
      EXPECT_NEAR(bundle.posterior.fitted.parameters[i], result.fitted.parameters[i], 1e-15);
    }
    EXPECT_EQ(bundle.posterior.total.family->description().name, "full-rank");
    ASSERT_EQ(bundle.posterior.total.parameters.size(), result.total.parameters.size());
    for (std::size_t i = 0; i < result.total.parameters.size(); ++i) {
      EXPECT_NEAR(bundle.posterior.total.parameters[i], result.total.parameters[i], 1e-14);
    }
    EXPECT_EQ(bundle.posterior.sd_model, result.sd_model);
    EXPECT_EQ(bundle.posterior.sd_privacy, result.sd_privacy);
  }
}

TEST(Bundle, ADivergedFitReadsBackWithItsNaNs) {
  const TemporaryFolder place;
  FitResult result = example_result();
  result.fitted.parameters[0] = std::nan("");
  result.total = with_noise(result.fitted, result.location_noise);
  result.privacy = executed(example_plan(), result.fitted.parameters);
  result.draws[0][0] = std::nan("");
  write_bundle(result, kProgram, place.path() / "bundle");
  const Bundle bundle = read_bundle(place.path() / "bundle");
  EXPECT_TRUE(std::isnan(bundle.posterior.fitted.parameters[0]));
  EXPECT_TRUE(std::isnan(bundle.draws.draws[0][0]));
}

TEST(Bundle, APlanOfAnotherRunIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder place;
  FitResult result = example_result();
  result.fitted.parameters[1] = std::nextafter(result.fitted.parameters[1], 1.0);
  EXPECT_THROW(write_bundle(result, kProgram, place.path() / "bundle"), InternalError);
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(Bundle, AFitWithoutProtectionReadsBackAsNotPrivate) {
  const TemporaryFolder place;
  write_bundle(unprotected_example(), kProgram, place.path() / "bundle");
  const Bundle bundle = read_bundle(place.path() / "bundle");
  EXPECT_FALSE(bundle.stamp.is_private);
  EXPECT_FALSE(bundle.stamp.epsilon.has_value());
}

// Guarantee: a bundle that is read as private is stamped private in every one of these files.
// Tries every combination except those in which all three files agree.
TEST(Bundle, ABundleThatIsReadAsPrivateIsStampedPrivateInEveryOneOfTheseFiles) {
  const TemporaryFolder place;
  write_bundle(example_result(), kProgram, place.path() / "private");
  write_bundle(unprotected_example(), kProgram, place.path() / "unprotected");
  const char* files[] = {"draws.csv", "statement.json", "posterior.json"};
  for (unsigned mix = 1; mix < 7; ++mix) {
    const fs::path mixed = place.path() / std::to_string(mix);
    fs::copy(place.path() / "private", mixed);
    for (unsigned i = 0; i < 3; ++i) {
      if ((mix >> i & 1U) == 0) continue;
      fs::copy(place.path() / "unprotected" / files[i], mixed / files[i],
               fs::copy_options::overwrite_existing);
    }
    EXPECT_THROW(read_bundle(mixed), InputError) << mix;
  }
}

class DamagedBundle : public testing::Test {
 protected:
  void SetUp() override { write_bundle(example_result(FamilyKind::full_rank), kProgram, folder()); }

  fs::path folder() const { return place_.path() / "bundle"; }

  void replace_in(const char* name, const std::string& old_words, const std::string& new_words) {
    std::string text = content(folder() / name);
    const std::size_t at = text.find(old_words);
    ASSERT_NE(at, std::string::npos) << old_words;
    std::ofstream(folder() / name, std::ios::binary)
        << text.replace(at, old_words.size(), new_words);
  }

  // The refusal names the file and, if there is one, the line.
  void expect_refusal(const char* name, int line, const std::string& words) {
    try {
      read_bundle(folder());
      FAIL() << "read although " << name << " is damaged: " << words;
    } catch (const InputError& error) {
      EXPECT_EQ(error.code().id, "DP411");
      EXPECT_EQ(error.place().file, (folder() / name).string());
      EXPECT_EQ(error.place().line, line) << error.what();
      EXPECT_NE(error.message().find(words), std::string::npos) << error.what();
    }
  }

  int line_of(const char* name, const std::string& words) {
    const std::string text = content(folder() / name);
    const auto at = static_cast<std::ptrdiff_t>(text.find(words));
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
  }

  TemporaryFolder place_;
};

TEST_F(DamagedBundle, ACellThatIsNoNumberIsNamedByItsPlace) {
  const int line = line_of("draws.csv", ",3.125,");
  replace_in("draws.csv", ",3.125,", ",3.1x5,");
  expect_refusal("draws.csv", line, "'3.1x5' is not a number");
}

TEST_F(DamagedBundle, AnEmptyCellIsNoNumber) {
  const int line = line_of("draws.csv", ",3.125,");
  replace_in("draws.csv", ",3.125,", ",,");
  expect_refusal("draws.csv", line, "'' is not a number");
}

TEST_F(DamagedBundle, ARowOfAnotherLengthIsNamedByItsLine) {
  const int line = line_of("draws.csv", ",4.125,");
  replace_in("draws.csv", ",4.125,", ",4.125,9,");
  expect_refusal("draws.csv", line, "cells");
}

TEST_F(DamagedBundle, AFileCutShortIsRefusedWhereverItIsCut) {
  const std::string whole = content(folder() / "draws.csv");
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    if (length > 0 && whole[length - 1] == '\n') continue;
    std::ofstream(folder() / "draws.csv", std::ios::binary) << whole.substr(0, length);
    EXPECT_THROW(read_bundle(folder()), InputError) << length;
  }
}

TEST_F(DamagedBundle, DrawsOfAnotherProgramAreRefused) {
  replace_in("draws.csv", "# dp_private = true\n", "");
  expect_refusal("draws.csv", line_of("draws.csv", "lp__,"), "dp_private");
}

TEST_F(DamagedBundle, AnotherHeaderIsRefused) {
  const int line = line_of("draws.csv", "lp__,");
  replace_in("draws.csv", "lp__,log_p__", "lp__,accept_stat__");
  expect_refusal("draws.csv", line, "header");
}

TEST_F(DamagedBundle, BrokenJsonIsNamedByItsLine) {
  const int line = line_of("statement.json", "\"delta\"");
  replace_in("statement.json", "\"delta\"", "delta\"");
  expect_refusal("statement.json", line, "not JSON");
}

TEST_F(DamagedBundle, MembersOfAnotherKindAreNamed) {
  struct Case {
    const char* file;
    const char* old_words;
    const char* new_words;
    const char* message;
  };
  for (const Case& damage : std::initializer_list<Case>{
           {"statement.json", "\"private\": true", "\"private\": \"yes\"", "private"},
           {"statement.json", "\"epsilon\": 0.", "\"epsilon\": -0.", "epsilon"},
           {"statement.json", "\"delta\": 1e-06", "\"delta\": 1.5", "delta"},
           {"statement.json", "\"adjacency\": \"substitute\"", "\"adjacency\": 3", "adjacency"},
           {"posterior.json", "full-rank", "round", "family"},
           {"posterior.json", "\"mean\"", "\"means\"", "unconstrained/mean"},
           {"posterior.json", "\"beta.1\"", "\"beta.1\", \"beta.2\"", "names"},
           {"posterior.json", "1.5", "-1.5", "negative diagonal"},
           {"posterior.json", "1.5", "1.5, 2", "unequal sizes"},
       }) {
    const std::string before = content(folder() / damage.file);
    replace_in(damage.file, damage.old_words, damage.new_words);
    expect_refusal(damage.file, 0, damage.message);
    std::ofstream(folder() / damage.file, std::ios::binary) << before;
  }
}

TEST_F(DamagedBundle, MissingFilesAreMissingInput) {
  for (const char* name : {"draws.csv", "statement.json", "posterior.json"}) {
    fs::rename(folder() / name, folder() / "away");
    EXPECT_THROW(read_bundle(folder()), MissingInputError) << name;
    fs::rename(folder() / "away", folder() / name);
  }
  EXPECT_NO_THROW(read_bundle(folder()));
  EXPECT_THROW(read_bundle(folder() / "nothing"), MissingInputError);
  EXPECT_THROW(read_bundle(folder() / "draws.csv"), InputError);
}

}  // namespace
}  // namespace dpvi
