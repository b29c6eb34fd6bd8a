#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <tests/tape/every_backend.hpp>
#include <tests/tape/random_graph.hpp>

namespace dpvi {
namespace {

// All results of a tape for consecutive blocks.
template <class T>
struct Evaluated {
  std::vector<T> log_density;
  std::vector<T> rows;
  std::vector<std::int32_t> own;
};

// Columns of consecutive blocks, with some non-finite values and invalid indices.
template <class T>
struct Columns {
  Columns(const RecordTape& tape, std::size_t blocks, std::mt19937_64& random)
      : reals(blocks * static_cast<std::size_t>(tape.real_columns()) * kLanes),
        ints(blocks * static_cast<std::size_t>(tape.int_columns()) * kLanes) {
    std::normal_distribution<double> normal;
    for (T& real : reals) real = static_cast<T>(random() % 50 == 0 ? HUGE_VAL : normal(random));
    for (std::int32_t& index : ints) index = static_cast<std::int32_t>(random() % 102) - 1;
  }

  std::vector<T> reals;
  std::vector<std::int32_t> ints;
};

// Evaluates in groups of `at_once` blocks. Previous contents of the results must not matter.
template <class T>
Evaluated<T> evaluate(const RecordTape& tape, const std::vector<double>& theta,
                      const Columns<T>& columns, std::size_t blocks, std::size_t at_once) {
  TapeWorkspace<T> workspace(tape);
  tape.begin_draw(workspace, theta);
  const auto size = [](std::int32_t rows) { return static_cast<std::size_t>(rows) * kLanes; };
  const std::size_t rows = size(tape.rows().size());
  const std::size_t per_lane_rows = size(tape.rows().per_lane_rows);
  Evaluated<T> result{std::vector<T>(blocks * kLanes),
                      std::vector<T>(blocks * rows, static_cast<T>(std::nan(""))),
                      std::vector<std::int32_t>(blocks * per_lane_rows)};
  for (std::size_t b = 0; b < blocks; b += at_once) {
    tape.evaluate_rows(workspace,
                       {columns.reals.data() + b * size(tape.real_columns()),
                        columns.ints.data() + b * size(tape.int_columns())},
                       result.log_density.data() + b * kLanes, result.rows.data() + b * rows,
                       result.own.data() + b * per_lane_rows, std::min(at_once, blocks - b));
  }
  return result;
}

template <class T>
void expect_same_numbers(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
        << "at " << i << ": " << a[i] << ", " << b[i];
    ASSERT_EQ(std::signbit(a[i]), std::signbit(b[i])) << "at " << i;
  }
}

// Returns whether the tape evaluates several blocks at once.
template <class T>
bool expect_blocks_as_if_alone(const Graph& graph, NodeId root, std::int32_t theta_size,
                               BackendKind backend) {
  const RecordTape tape(graph, root, theta_size, backend);
  const std::size_t most = tape.blocks_at_once<T>();
  std::mt19937_64 random(11);
  const std::vector<double> theta = random_reals(random, theta_size);
  const std::size_t blocks = 2 * most + 1;
  const Columns<T> columns(tape, blocks, random);
  const Evaluated<T> alone = evaluate(tape, theta, columns, blocks, 1);
  for (std::size_t at_once = 2; at_once <= most; ++at_once) {
    const Evaluated<T> together = evaluate(tape, theta, columns, blocks, at_once);
    expect_same_numbers(alone.log_density, together.log_density);
    expect_same_numbers(alone.rows, together.rows);
    EXPECT_EQ(alone.own, together.own);
  }
  return most > 1;
}

class SeveralBlocks : public EveryBackend {};

TEST_P(SeveralBlocks, ComeOutAsIfEachWereAlone) {
  int tapes = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(2);
    const Graph& graph = random.builder().graph();
    tapes += expect_blocks_as_if_alone<float>(graph, root, kRandomTheta, GetParam()) ? 1 : 0;
    tapes += expect_blocks_as_if_alone<double>(graph, root, kRandomTheta, GetParam()) ? 1 : 0;
  }
  EXPECT_GT(tapes, 20);
}

TEST_P(SeveralBlocks, HaveTheirOwnIndices) {
  constexpr std::int32_t kGroups = 100;
  GraphBuilder g;
  const NodeId one = g.gather(g.theta(1, kGroups), g.record_int(0), {.extent = kGroups});
  const NodeId two = g.gather(g.theta(1, kGroups), g.record_int(1, 2), {.extent = kGroups});
  const NodeId root = g.mul(g.exp(g.theta(0)), g.add(g.mul(one, g.record_real(0)), g.sum(two)));
  EXPECT_TRUE(expect_blocks_as_if_alone<float>(g.graph(), root, kGroups + 1, GetParam()));
  EXPECT_TRUE(expect_blocks_as_if_alone<double>(g.graph(), root, kGroups + 1, GetParam()));
}

TEST(BlocksAtOnce, ATapeThatFillsTheNearestCacheTakesOneAtATime) {
  GraphBuilder g;
  const NodeId root = g.dot(g.theta(0, 200), g.record_real(0, 200));
  EXPECT_EQ(RecordTape(g.graph(), root, 200).blocks_at_once<double>(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Backends, SeveralBlocks, kEveryBackend, name_of_backend);

}  // namespace
}  // namespace dpvi
