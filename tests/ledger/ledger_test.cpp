#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <dpvi/ledger/head_witness.hpp>
#include <dpvi/ledger/internal/sqlite_database.hpp>
#include <dpvi/ledger/ledger.hpp>
#include <dpvi/ledger/ledger_summary.hpp>
#include <dpvi/privacy/bound_search.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/source_folder.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

const ClaimRule kRule{.delta = 1e-6};
const RunData kTable{"f1"};

LedgerRun run_with(double noise_multiplier) {
  return {.mechanisms = {GaussianPhase{1.0, noise_multiplier, 4}},
          .clip_bound = 2.0,
          .unit = "row",
          .model_sha256 = "m",
          .plan_sha256 = "p"};
}

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    Ledger::create(
        path(),
        with_orders({.epsilon = 1.0, .delta = 1e-6, .filter = FilterKind::full_participation}));
  }
  std::string path() const { return place_.path_of("a.ledger"); }

  // The state of the last entry, as another process sees it.
  std::string last_state() const {
    return std::string(name_of(Ledger::read(path()).entries.back().state));
  }

  TemporaryFolder place_;
};

TEST_F(LedgerTest, KeepsItsTermsAndAnEmptyAccount) {
  const LedgerState state = Ledger::read(path());
  EXPECT_EQ(state.terms.epsilon, 1.0);
  EXPECT_EQ(state.terms.unit, "row");
  EXPECT_TRUE(state.entries.empty());
  EXPECT_EQ(summarise(state).spent_epsilon, 0.0);
  EXPECT_THROW(Ledger::create(path(), state.terms), CannotCreateError);
  EXPECT_EQ(fs::status(path()).permissions() & fs::perms::group_read, fs::perms::none);
}

TEST_F(LedgerTest, ARunGoesThroughItsLinesAndIsReleased) {
  Ledger ledger(path());
  const std::int64_t id = ledger.reserve(run_with(100), kTable, kRule);
  EXPECT_EQ(last_state(), "reserved");
  EXPECT_EQ(ledger.start(id, kRule), id);
  ledger.publish(id, "hash");
  ledger.release(id);
  EXPECT_EQ(last_state(), "released");
  const LedgerEntry entry = Ledger::read(path()).entries.at(0);
  EXPECT_EQ(entry.run, run_with(100));
  EXPECT_EQ(entry.data_version, "1");
  EXPECT_EQ(entry.manifest_sha256, "hash");
}

// An object that goes out of scope stands for a process that died: nothing runs in its cleanup.
TEST_F(LedgerTest, OnlyAReservationWithoutAStartIsVoidedAndOnlyAtTheNextOpening) {
  Ledger(path()).reserve(run_with(100), kTable, kRule);
  EXPECT_EQ(last_state(), "reserved");
  { const Ledger next(path()); }
  EXPECT_EQ(last_state(), "voided");

  for (int lines = 1; lines <= 2; ++lines) {
    Ledger ledger(path());
    const std::int64_t id = ledger.start(ledger.reserve(run_with(100), kTable, kRule), kRule);
    if (lines == 2) ledger.publish(id, "hash");
    { const Ledger next(path()); }
    EXPECT_EQ(last_state(), "reserved") << lines;
  }
  const LedgerState state = Ledger::read(path());
  const PrivacyFilter filter(state.terms);
  EXPECT_NEAR(charged_amount(state, filter).at(0), 2 * 4 * 4e-4, 1e-12);
}

TEST_F(LedgerTest, AVoidedReservationIsChargedAgainBeforeItStarts) {
  Ledger slow(path());
  const std::int64_t id = slow.reserve(run_with(100), kTable, kRule);
  { const Ledger other(path()); }
  EXPECT_EQ(slow.start(id, kRule), id + 1);
  EXPECT_EQ(last_state(), "reserved");

  const std::int64_t again = slow.reserve(run_with(40), kTable, kRule);
  {
    Ledger other(path());
    while (true) {
      try {
        other.start(other.reserve(run_with(40), kTable, kRule), kRule);
      } catch (const BudgetRefusal&) {
        break;
      }
    }
  }
  EXPECT_THROW(slow.start(again, kRule), BudgetRefusal);
}

TEST_F(LedgerTest, ARefusalNamesTheLargestEpsilonThatFits) {
  Ledger ledger(path());
  ledger.start(ledger.reserve(run_with(20), kTable, kRule), kRule);
  try {
    ledger.check(run_with(20), kRule);
    FAIL();
  } catch (const BudgetRefusal& refusal) {
    const BudgetNumbers& numbers = refusal.numbers();
    EXPECT_EQ(refusal.code().kind, ErrorKind::budget);
    EXPECT_NEAR(numbers.spent + numbers.left, 1.0, 1e-12);
    EXPECT_GT(numbers.asked, numbers.largest_epsilon);
    const auto fits = [&](double epsilon) {
      const CalibratedRun run = calibrate_noise_on_grid(std::vector<GaussianPhase>{{1.0, 20.0, 4}},
                                                        {.epsilon = epsilon, .delta = 1e-6});
      LedgerRun asked = run_with(1);
      asked.mechanisms = mechanisms_of(run.run);
      return error_text<BudgetRefusal>([&] { ledger.check(asked, kRule); }).empty();
    };
    EXPECT_TRUE(fits(numbers.largest_epsilon));
    EXPECT_FALSE(fits(numbers.largest_epsilon + 1e-4));  // one more in the last of four digits
  }
}

TEST_F(LedgerTest, TheLargestEpsilonOfAnUnusedLedgerIsItsBudget) {
  const Ledger ledger(path());
  const auto largest = [&](const ClaimRule& rule) {
    try {
      ledger.check(run_with(2), rule);
    } catch (const BudgetRefusal& refusal) {
      return refusal.numbers().largest_epsilon;
    }
    return 0.0;
  };
  EXPECT_EQ(largest(kRule), 1.0);
  // Another accountant claims more for the same noise.
  const double by_renyi = largest({.delta = 1e-6, .accountant = Accountant::rdp});
  EXPECT_GT(by_renyi, 1.0);
  const auto fits = [&](double epsilon) {
    const PrivacyTarget target{.epsilon = epsilon, .delta = 1e-6};
    LedgerRun asked = run_with(1);
    asked.mechanisms = mechanisms_of(least_noise_on_grid(std::vector<GaussianPhase>{{1.0, 2.0, 4}},
                                                         meets_target(target, Accountant::rdp)));
    return error_text<BudgetRefusal>([&] { ledger.check(asked, kRule); }).empty();
  };
  EXPECT_TRUE(fits(by_renyi));
  EXPECT_FALSE(fits(by_renyi + 1e-3));
}

TEST_F(LedgerTest, ALinkLeadsToTheFileAndItsHead) {
  const std::string link = place_.path_of("link");
  fs::create_symlink("a.ledger", link);
  Ledger ledger(link);
  ledger.reserve(run_with(40), kTable, kRule);
  EXPECT_FALSE(fs::exists(link + ".head"));
  EXPECT_EQ(read_witness(path())->position, Ledger::read(path()).head().position);
  EXPECT_EQ(Ledger::read(link).witnessed, Ledger::read(link).head().position);
}

// SQLite finds the newest lines by the name of the file. Under two names, runs overspend together.
TEST_F(LedgerTest, ALedgerWithTwoNamesIsRefused) {
  fs::create_hard_link(path(), place_.path_of("second"));
  for (const char* name : {"a.ledger", "second"}) {
    const auto text = error_text<InputError>([&] { Ledger ledger(place_.path_of(name)); });
    EXPECT_NE(text.find("2 names"), std::string::npos) << text;
  }
}

TEST_F(LedgerTest, ObjectsThatNoLedgerHasAreRefused) {
  for (const char* sql :
       {"CREATE TRIGGER t BEFORE INSERT ON line WHEN NEW.kind = 'reserve'"
        "  BEGIN SELECT RAISE(IGNORE); END",
        "CREATE VIEW v AS SELECT * FROM line", "CREATE TABLE other (a)",
        "ALTER TABLE line ADD COLUMN x ANY GENERATED ALWAYS AS (zeroblob(1000000))"}) {
    const std::string copy = place_.path_of("copy");
    fs::copy_file(path(), copy, fs::copy_options::overwrite_existing);
    SqliteDatabase(copy, SqliteAccess::write).execute(sql);
    EXPECT_NE(error_text<InputError>([&] { Ledger::read(copy); }).find("no ledger has"),
              std::string::npos)
        << sql;
    EXPECT_THROW(Ledger{copy}, InputError) << sql;
  }
}

TEST_F(LedgerTest, AnOddNameIsTheNameOfAFile) {
  for (const char* name : {":memory:", "file:a?mode=memory", "a%20b?c#d"}) {
    const std::string odd = place_.path_of(name);
    fs::copy_file(path(), odd);
    const fs::path before = fs::current_path();
    fs::current_path(place_.path());
    EXPECT_EQ(Ledger(name).state().id, Ledger::read(path()).id) << name;
    fs::current_path(before);
    EXPECT_EQ(SqliteDatabase(odd, SqliteAccess::read_archived).path(), odd);
    fs::remove(odd);
  }
}

TEST_F(LedgerTest, OtherUnitsAndSampledRunsAreRefused) {
  const Ledger ledger(path());
  LedgerRun run = run_with(100);
  run.unit = "patient";
  EXPECT_NE(error_text([&] { ledger.check(run, kRule); }).find("DP604"), std::string::npos);
  run = run_with(100);
  run.mechanisms = {GaussianPhase{0.5, 100, 4}};
  EXPECT_NE(error_text([&] { ledger.check(run, kRule); }).find("DP604"), std::string::npos);
}

TEST_F(LedgerTest, AnotherTableNeedsANamedVersionThatComposes) {
  Ledger ledger(path());
  ledger.reserve(run_with(100), kTable, kRule);
  EXPECT_NE(error_text([&] { ledger.reserve(run_with(100), {"f2"}, kRule); }).find("DP604"),
            std::string::npos);
  EXPECT_NE(error_text([&] {
              ledger.reserve(run_with(100), {"f2", "1"}, kRule);
            }).find("DP604"),
            std::string::npos);
  ledger.reserve(run_with(100), {"f2", "2027"}, kRule);
  ledger.reserve(run_with(100), {"f2"}, kRule);
  EXPECT_EQ(ledger.state().entries.back().data_version, "2027");
  const PrivacyFilter filter(ledger.state().terms);
  EXPECT_NEAR(charged_amount(ledger.state(), filter).at(0), 3 * 4 * 4e-4, 1e-12);
}

TEST_F(LedgerTest, AFingerprintDependsOnTheKeyOfTheLedger) {
  const std::string other_path = place_.path_of("b.ledger");
  Ledger::create(other_path, Ledger::read(path()).terms);
  const auto fingerprint = [](const std::string& ledger_path) {
    DataFingerprint bytes = Ledger(ledger_path).new_fingerprint();
    bytes.add("x,y\n");
    bytes.add("1,2\n");
    return bytes.finish();
  };
  EXPECT_EQ(fingerprint(path()), fingerprint(path()));
  EXPECT_NE(fingerprint(path()), fingerprint(other_path));
}

TEST_F(LedgerTest, OnlyARunThatHasPublishedNothingCanBeForgiven) {
  Ledger ledger(path());
  const std::int64_t crashed = ledger.start(ledger.reserve(run_with(100), kTable, kRule), kRule);
  ledger.forgive(crashed, "A. Steward", "power failure");
  EXPECT_EQ(last_state(), "forgiven");
  EXPECT_EQ(ledger.state().entries.back().forgiven_because, "power failure");
  EXPECT_EQ(summarise(ledger.state()).spent_epsilon, 0.0);
  EXPECT_THROW(ledger.publish(crashed, "hash"), BudgetError);

  const std::int64_t id = ledger.start(ledger.reserve(run_with(100), kTable, kRule), kRule);
  ledger.publish(id, "hash");
  EXPECT_THROW(ledger.forgive(id, "A. Steward", "?"), UsageError);
  ledger.release(id);
  EXPECT_THROW(ledger.forgive(id, "A. Steward", "?"), UsageError);
  EXPECT_THROW(ledger.forgive(99, "A. Steward", "?"), UsageError);
}

TEST_F(LedgerTest, AnOlderCopyIsRefusedByTheHeadBesideIt) {
  fs::copy(path(), place_.path_of("old"));
  {
    Ledger ledger(path());
    ledger.start(ledger.reserve(run_with(100), kTable, kRule), kRule);
  }
  const LedgerHead head = Ledger::read(path()).head();
  for (const char* rest : {"-wal", "-shm"}) fs::remove(path() + rest);
  fs::copy(place_.path_of("old"), path(), fs::copy_options::overwrite_existing);
  EXPECT_NE(error_text([&] { const Ledger ledger(path()); }).find("older copy"), std::string::npos);
  fs::remove(path() + ".head");
  EXPECT_EQ(ledger_differences(Ledger::read(path()), {head}).size(), 1U);
}

// Guarantee: the charged runs of a ledger never exceed its budget, whatever processes do at once.
TEST_F(LedgerTest, ThirtyTwoProcessesNeverOverspendTogether) {
  constexpr int kProcesses = 32;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int admitted = 0;
      try {
        for (int run = 0; run < 3; ++run) {
          Ledger ledger(path());
          ledger.start(ledger.reserve(run_with(70), kTable, kRule), kRule);
          ++admitted;
        }
      } catch (const BudgetRefusal&) {
        _exit(admitted);
      } catch (...) {
        _exit(100);
      }
      _exit(admitted);
    }
    children.push_back(child);
  }
  int admitted = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_LT(WEXITSTATUS(status), 100);
    admitted += WEXITSTATUS(status);
  }
  const LedgerState state = Ledger::read(path());
  EXPECT_TRUE(ledger_differences(state, {}).empty());
  const PrivacyFilter filter(state.terms);
  const FilterAmount one = filter.amount_of(GaussianRun{{1.0, 70.0, 4}});
  EXPECT_TRUE(filter.admits(charged_amount(state, filter)));
  EXPECT_NEAR(charged_amount(state, filter).at(0), admitted * one.at(0), 1e-9);
  EXPECT_FALSE(filter.admits(sum_of(charged_amount(state, filter), one))) << "all of it was spent";
}

// A ledger whose lines nobody checked when they were written.
class UncheckedLedger {
 public:
  explicit UncheckedLedger(double epsilon) {
    state_.terms =
        with_orders({.epsilon = epsilon, .delta = 1e-6, .filter = FilterKind::full_participation});
  }

  void reserve(double noise_multiplier) {
    LedgerEntry entry;
    entry.id = static_cast<std::int64_t>(state_.entries.size()) + 1;
    entry.run = run_with(noise_multiplier);
    state_.entries.push_back(entry);
    state_.lines.push_back({0, "", "reserve", "{}", ""});
  }

  void forgive(int id) {
    state_.lines.push_back({0, "", "forgive", "{\"id\":" + std::to_string(id) + "}", ""});
  }

  std::vector<std::string> differences() const { return ledger_differences(state_, {}); }

 private:
  LedgerState state_;
};

TEST(LedgerDifferences, NameEveryEntryThatExceededTheBudgetWhenItWasReserved) {
  // 8 steps meet the budget; 12 exceed it.
  const GaussianRun two = calibrate_noise_on_grid(std::vector<GaussianPhase>{{1.0, 1.0, 8}},
                                                  {.epsilon = 1.0, .delta = 1e-6})
                              .run;
  const double noise = two.at(0).noise_multiplier;
  UncheckedLedger ledger(1.0);
  ledger.reserve(noise);
  ledger.reserve(noise);
  EXPECT_EQ(ledger.differences(), std::vector<std::string>{});
  ledger.reserve(noise);
  EXPECT_EQ(ledger.differences(), std::vector<std::string>{"entry 3 exceeds the budget."});
  ledger.forgive(1);
  ledger.reserve(10 * noise);  // the other two already use all of it
  ledger.forgive(2);
  ledger.reserve(2 * noise);
  EXPECT_EQ(ledger.differences(), (std::vector<std::string>{"entry 3 exceeds the budget.",
                                                            "entry 4 exceeds the budget."}));
}

TEST_F(LedgerTest, AFileThatIsNoLedgerIsRefused) {
  EXPECT_THROW(Ledger(place_.path_of("none")), MissingInputError);
  EXPECT_THROW(Ledger(place_.path().string()), InputError);
  EXPECT_THROW(Ledger(place_.write("text", "hello, this is not a database at all")), InputError);
  EXPECT_THROW(Ledger(place_.write("empty", "")), InputError);
  EXPECT_THROW(Ledger("/dev/zero"), InputError);
}

// A ledger that the first version with ledgers wrote.
TEST(StoredLedger, OfFormatOneKeepsItsAccount) {
  const TemporaryFolder place;
  const std::string path = place.path_of("s.ledger");
  fs::copy(tests_folder() / "ledger/stored/format1.ledger", path);
  const LedgerState state = Ledger::read(path);
  EXPECT_TRUE(ledger_differences(state, {}).empty());
  EXPECT_EQ(state.head().hash, "9b193e0106ca94481755629464819feee20209e0ff9aa44ae8a8fea09c454af9");
  ASSERT_EQ(state.entries.size(), 2U);
  EXPECT_EQ(name_of(state.entries[1].state), "released");
  EXPECT_NEAR(summarise(state).pld_epsilon, 0.51153, 1e-4);
  EXPECT_EQ(Ledger(path).reserve(run_with(100), {"f", "2"}, kRule), 3);
}

TEST_F(LedgerTest, HoldsRunsOfSeveralMechanisms) {
  Ledger ledger(path());
  LedgerRun run = run_with(100);
  run.mechanisms.emplace_back(GaussianTotal{.mu_substitute = 0.02, .mu_add_remove = 0.01});
  ledger.reserve(run, kTable, kRule);
  EXPECT_EQ(Ledger::read(path()).entries.at(0).run, run);
}

}  // namespace
}  // namespace dpvi
