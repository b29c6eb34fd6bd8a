#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <dpvi/gradient/outcome_bins.hpp>
#include <tests/support/attacked_loop.hpp>

// Divides records among ranks and compares the releases of the production loop with those of one
// process with the same keys.

namespace dpvi {
namespace {

Gradients random_gradients(std::size_t records, std::size_t dimension) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  Gradients gradients(records, std::vector<double>(dimension));
  for (auto& gradient : gradients) {
    for (double& entry : gradient) entry = normal(engine);
  }
  return gradients;
}

// Parts of different sizes, in the order of the records. With four or more, one is empty.
std::vector<Gradients> parts_of(const Gradients& all, std::size_t ranks) {
  std::vector<Gradients> parts(ranks);
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const bool last = rank + 1 == ranks;
    std::size_t end = all.size() * (rank + 1) * (rank + 2) / (ranks * (ranks + 1));
    if (rank == 2 && ranks > 3) end = begin;
    if (last) end = all.size();
    parts[rank].assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return parts;
}

std::vector<RecordTable> tables_of(const AttackedLoop& loop, const std::vector<Gradients>& parts) {
  std::vector<RecordTable> tables;
  for (const Gradients& part : parts) tables.push_back(loop.table(part));
  return tables;
}

std::vector<std::vector<double>> releases_of_one_process(const AttackedLoop& loop,
                                                         const Gradients& all,
                                                         const AttackedRun& run) {
  std::vector<std::vector<double>> releases;
  loop.run(loop.table(all), run, [&](std::int64_t, const Released& released) {
    releases.emplace_back(released.values().begin(), released.values().end());
    return true;
  });
  return releases;
}

void expect_same_releases(const AttackedLoop& loop, const Gradients& all, const AttackedRun& run) {
  const auto expected = releases_of_one_process(loop, all, run);
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(run.steps));
  for (const std::size_t ranks : {1u, 2u, 4u, 7u}) {
    const std::vector<RecordTable> parts = tables_of(loop, parts_of(all, ranks));
    EXPECT_EQ(loop.releases_on_ranks(parts, RankTable::part, run), expected) << ranks;
    const std::vector<RecordTable> wholes = tables_of(loop, std::vector<Gradients>(ranks, all));
    EXPECT_EQ(loop.releases_on_ranks(wholes, RankTable::whole, run), expected) << ranks;
  }
}

// Guarantee: every partial sum counts exactly once, and the result does not depend on the number of
// parts, their order or how the records are divided among them.
TEST(Ranks, ReleaseTheBitsOfOneProcess) {
  const AttackedLoop loop(5);
  const Gradients all = random_gradients(300, 5);
  expect_same_releases(loop, all, {.sampling_rate = 0.3, .grid = NoiseGrid(2.0), .steps = 20});
  expect_same_releases(loop, all, {.grid = NoiseGrid(2.0), .steps = 3, .threads = 2});
  expect_same_releases(
      loop, all,
      {.sampling_rate = 0.3, .grid = NoiseGrid(2.0), .steps = 5, .coordinate = ClipCoordinate{}});
}

TEST(Ranks, ReleaseTheBitsOfOneProcessWithOutcomes) {
  const AttackedLoop loop = AttackedLoop::with_outcomes(3, 2, Precision::single_precision);
  Gradients all = random_gradients(200, 3);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].back() = static_cast<double>(i % 3);
  expect_same_releases(loop, all, {.sampling_rate = 0.5, .grid = NoiseGrid(2.0), .steps = 5});
}

TEST(Ranks, CountTheRecordsOfOneProcess) {
  std::vector<OutcomeBins::Histogram> histograms = {{{1.0, 0.0, 0.0}, -2.0, 2.0},
                                                    {{0.0, 0.6, 0.8}, -2.0, 2.0}};
  const auto bins = std::make_shared<const OutcomeBins>(
      std::vector<BinnedNumber>{{false, 0}, {false, 1}, {false, 2}}, std::move(histograms), 10);
  const AttackedLoop loop(3);
  const Gradients all = random_gradients(300, 3);
  const AttackedRun run{.grid = NoiseGrid(0.5)};
  const Integers expected = loop.counted_sum(all, bins, run);
  for (const std::size_t ranks : {1u, 2u, 4u, 7u}) {
    EXPECT_EQ(loop.counted_sum_on_ranks(parts_of(all, ranks), bins, run), expected) << ranks;
  }
}

// Parts begin and end inside the sampler's blocks of 65 536 records, and the rates choose each of
// its methods.
TEST(Ranks, DrawTheSameBatchWhereverTheTableIsDivided) {
  const AttackedLoop loop(1);
  Gradients all(150000, std::vector<double>(1));
  for (std::size_t i = 0; i < all.size(); ++i) all[i][0] = 1e-3 * static_cast<double>(i % 997);
  for (const double rate : {0.001, 0.1}) {
    expect_same_releases(loop, all, {.sampling_rate = rate, .grid = NoiseGrid(1.0), .steps = 3});
  }
}

// A link that lets a mistake happen in one sum.
class MistakenLink final : public RankLink {
 public:
  using Mistake = std::function<void(std::span<std::int64_t>)>;

  MistakenLink(RankLink& link, Mistake before) : link_(link), before_(std::move(before)) {}

  int rank() const override { return link_.rank(); }
  int size() const override { return link_.size(); }
  void sum(std::span<std::int64_t> values) override {
    constexpr int kNumberOfTheSecondStep = 3;  // the first sum is that of record counts
    if (++sums_ == kNumberOfTheSecondStep) before_(values);
    link_.sum(values);
  }
  void broadcast(std::span<std::byte> bytes) override { link_.broadcast(bytes); }
  void abandon() noexcept override { link_.abandon(); }

 private:
  RankLink& link_;
  Mistake before_;
  int sums_ = 0;
};

std::size_t releases_with(const MistakenLink::Mistake& mistake) {
  const AttackedLoop loop(4);
  const std::vector<RecordTable> tables = tables_of(loop, parts_of(random_gradients(40, 4), 3));
  std::unique_ptr<MistakenLink> mistaken;
  const AttackedRun run{.grid = NoiseGrid(2.0), .steps = 3};
  return loop
      .releases_on_ranks(tables, RankTable::part, run,
                         [&](RankLink& link) -> RankLink& {
                           if (link.rank() != 1) return link;
                           mistaken = std::make_unique<MistakenLink>(link, mistake);
                           return *mistaken;
                         })
      .size();
}

// Guarantee: a rank whose vector is lost or counts twice ends the job.
TEST(Ranks, EndIfALinkMakesAMistake) {
  using Vector = std::span<std::int64_t>;
  EXPECT_EQ(releases_with([](Vector) {}), 3u);
  EXPECT_THROW(releases_with([](Vector v) { std::ranges::fill(v, 0); }), InternalError) << "lost";
  EXPECT_THROW(releases_with([](Vector v) {
                 for (std::int64_t& entry : v) entry *= 2;
               }),
               InternalError)
      << "twice";
  EXPECT_THROW(releases_with([](Vector v) {
                 for (std::int64_t& entry : v) {
                   entry = static_cast<std::int64_t>(static_cast<float>(entry));
                 }
               }),
               InternalError)
      << "in floating point";
  EXPECT_THROW(releases_with([](Vector v) { std::swap(v[0], v[1]); }), InternalError) << "mixed up";
  EXPECT_THROW(releases_with([](Vector v) { v[3] = 0; }), InternalError) << "shortened";
  EXPECT_THROW(releases_with([](Vector v) { v[v.size() - 2] -= 1; }), InternalError)
      << "an old one";
  EXPECT_THROW(releases_with([](Vector) { throw std::bad_alloc(); }), InternalError) << "dead";
}

}  // namespace
}  // namespace dpvi
