#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/api/rank_job.hpp>
#include <dpvi/base/thread_ranks.hpp>
#include <tests/api/door_example.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

// Whole fits whose ranks are threads.

namespace dpvi {
namespace {

FitRequest quick_fit(PosteriorKind kind) {
  return {.privacy = {.epsilon = 1.0, .steps = 20, .sampling_rate = 0.5},
          .settings = {.posterior = kind, .draws = 20}};
}

struct RankResults {
  std::optional<FitResult> root;
  std::vector<std::string> errors;  // by rank; empty for a rank that succeeded
};

// A table for each rank.
RankResults fit_on_threads(const Program& program, const std::vector<Table>& tables, RankTable kind,
                           const FitRequest& request) {
  ThreadRanks ranks(static_cast<int>(tables.size()));
  RankResults results{.root = std::nullopt, .errors = std::vector<std::string>(tables.size())};
  const auto run = [&](std::size_t rank) {
    results.errors[rank] = error_text<Error>([&] {
      RankJob job(ranks.link(static_cast<int>(rank)));
      OpenedFit opened = open_records(plan_fit(program, tables[rank], request));
      job.join(opened, tables[rank], kind);
      if (!job.is_root()) return job.serve(std::move(opened), {.threads = 1});
      results.root = fit(std::move(opened), {.threads = 1});
      job.finish();
    });
  };
  std::vector<std::thread> threads;
  for (std::size_t rank = 1; rank < tables.size(); ++rank) threads.emplace_back(run, rank);
  run(0);
  for (std::thread& thread : threads) thread.join();
  return results;
}

class RankedDoor : public testing::Test {
 protected:
  // Parts of about equal length, in order.
  std::vector<Table> parts(std::size_t count) const {
    std::vector<std::string> lines;
    for (std::size_t begin = 0, end = 0; begin < records_.csv.size(); begin = end + 1) {
      end = records_.csv.find('\n', begin);
      lines.push_back(records_.csv.substr(begin, end - begin + 1));
    }
    std::vector<Table> tables;
    const std::size_t rows = lines.size() - 1;
    for (std::size_t k = 0; k < count; ++k) {
      std::string text = lines[0];
      for (std::size_t i = rows * k / count; i < rows * (k + 1) / count; ++i) text += lines[i + 1];
      const std::string name = std::to_string(count) + "-" + std::to_string(k) + ".csv";
      tables.emplace_back(TableFile{folder_.write(name, text)});
    }
    return tables;
  }

  const TemporaryFolder folder_;
  const WardRecords records_;
  const std::string file_ = folder_.write("records.csv", records_.csv);
  const Program program_ = ward_program();
};

TEST_F(RankedDoor, TheResultIsThatOfOneProcess) {
  const SameKeys keys;
  for (const PosteriorKind kind : {PosteriorKind::variational, PosteriorKind::trace}) {
    FitRequest request = quick_fit(kind);
    if (kind == PosteriorKind::trace) request.privacy = {.epsilon = 1.0};
    const FitResult expected =
        fit(open_records(plan_fit(program_, TableFile{file_}, request)), {.threads = 1});
    for (const std::size_t ranks : {1u, 2u, 4u, 7u}) {
      const RankResults parts =
          fit_on_threads(program_, this->parts(ranks), RankTable::part, request);
      ASSERT_TRUE(parts.root.has_value()) << parts.errors[0];
      EXPECT_EQ(parts.root->fitted.parameters, expected.fitted.parameters) << ranks;
      EXPECT_EQ(parts.root->draws, expected.draws) << ranks;
      const RankResults whole = fit_on_threads(
          program_, std::vector<Table>(ranks, TableFile{file_}), RankTable::whole, request);
      ASSERT_TRUE(whole.root.has_value()) << whole.errors[0];
      EXPECT_EQ(whole.root->draws, expected.draws) << ranks;
    }
  }
}

// Guarantee: no rank waits for one that failed.
TEST_F(RankedDoor, EveryRankEndsIfOneFails) {
  const FitRequest request = quick_fit(PosteriorKind::variational);
  for (const std::size_t failing : {0u, 2u}) {
    std::vector<Table> tables = parts(3);
    tables[failing] = TableFile{folder_.write("damaged.csv", "ward,y\nmedical,1\nmedical\n")};
    const RankResults results = fit_on_threads(program_, tables, RankTable::part, request);
    EXPECT_FALSE(results.root.has_value());
    for (std::size_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(results.errors[rank].substr(0, 12),
                rank == failing ? "error[DP322]" : "error[DP502]");
    }
  }
}

TEST_F(RankedDoor, EveryRankEndsIfTheRootStops) {
  ThreadRanks ranks(2);
  const std::vector<Table> tables = parts(2);
  const FitRequest request = quick_fit(PosteriorKind::variational);
  std::string other;
  std::thread thread([&] {
    other = error_text<Error>([&] {
      RankJob job(ranks.link(1));
      OpenedFit opened = open_records(plan_fit(program_, tables[1], request));
      job.join(opened, tables[1], RankTable::part);
      job.serve(std::move(opened));
    });
  });
  const std::string root = error_text<Error>([&] {
    RankJob job(ranks.link(0));
    OpenedFit opened = open_records(plan_fit(program_, tables[0], request));
    job.join(opened, tables[0], RankTable::part);
    fit(std::move(opened), {.progress = [](std::int64_t done, std::int64_t) { return done < 5; }});
    job.finish();
  });
  thread.join();
  EXPECT_EQ(root.substr(0, 12), "error[DP501]");
  EXPECT_EQ(other.substr(0, 12), "error[DP502]");
}

TEST_F(RankedDoor, TablesThatAreNotPartsAreRefusedByEveryRank) {
  const auto errors = [&](const std::vector<Table>& tables, RankTable kind) {
    return fit_on_threads(program_, tables, kind, quick_fit(PosteriorKind::variational)).errors;
  };
  const std::vector<Table> twice(2, TableFile{file_});
  for (const std::string& error : errors(twice, RankTable::part)) {
    EXPECT_EQ(error.substr(0, 12), "error[DP604]") << error;
  }
  for (const std::string& error : errors(parts(2), RankTable::whole)) {
    EXPECT_EQ(error.substr(0, 12), "error[DP604]") << error;
  }
  // A part without records has the digest of any other.
  std::vector<Table> sparse = parts(2);
  const Table empty = TableFile{folder_.write("empty.csv", "ward,y\n")};
  sparse.insert(sparse.begin() + 1, {empty, empty});
  for (const std::string& error : errors(sparse, RankTable::part)) EXPECT_EQ(error, "");
}

}  // namespace
}  // namespace dpvi
