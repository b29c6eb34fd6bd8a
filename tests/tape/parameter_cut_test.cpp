#include <dpvi/tape/graph/parameter_cut.hpp>

#include <gtest/gtest.h>

#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kEffects = 5;

// theta: mu, log tau, z; a record chooses one of the effects.
class Groups : public testing::Test {
 protected:
  Groups() { builder_.keep_gathered_vectors(true); }

  NodeId gathered(NodeId effects) {
    return builder_.gather(effects, builder_.record_int(0), {.extent = kEffects});
  }
  ParameterCut cut_of(NodeId root, std::vector<bool> unbounded) {
    const NodeId roots[] = {root};
    return smallest_cut(builder_.graph(), roots, unbounded);
  }

  GraphBuilder builder_;
  const NodeId mu_ = builder_.theta(0);
  const NodeId tau_ = builder_.exp(builder_.theta(1));
  const NodeId z_ = builder_.theta(2, kEffects);
  const std::vector<bool> unbounded_ = {true, false, true, true, true, true, true};
};

TEST_F(Groups, EffectsTakeThePlaceOfTheirStandardisedForm) {
  const NodeId effects = builder_.add(mu_, builder_.mul(tau_, z_));
  const ParameterCut cut =
      cut_of(builder_.sub(builder_.record_real(0), gathered(effects)), unbounded_);
  EXPECT_TRUE(cut.theta.empty());
  EXPECT_EQ(cut.nodes, std::vector{effects});
  EXPECT_EQ(cut.size(builder_.graph()), 5u);
}

TEST_F(Groups, EffectsThatAreParametersStayParameters) {
  const ParameterCut cut = cut_of(gathered(z_), unbounded_);
  EXPECT_EQ(cut.theta, (std::vector{2, 3, 4, 5, 6}));
  EXPECT_TRUE(cut.nodes.empty());
}

TEST_F(Groups, ParameterThatRecordsAlsoReadDirectlyBelongsToTheCut) {
  const NodeId effects = builder_.add(mu_, builder_.mul(tau_, z_));
  const NodeId scaled = builder_.div(gathered(effects), tau_);
  const ParameterCut cut = cut_of(builder_.mul(scaled, builder_.record_real(0)), unbounded_);
  EXPECT_EQ(cut.theta, std::vector{1});
  EXPECT_EQ(cut.nodes, std::vector{effects});
}

TEST_F(Groups, NumbersWithABoundedRangeAreNotTaken) {
  // A product of two positive numbers would be smaller than its two factors.
  const NodeId product = builder_.mul(tau_, builder_.exp(mu_));
  const ParameterCut cut = cut_of(builder_.mul(product, builder_.record_real(0)), unbounded_);
  EXPECT_EQ(cut.theta, (std::vector{0, 1}));
  EXPECT_TRUE(cut.nodes.empty());
}

TEST_F(Groups, RewrittenGraphReadsTheCut) {
  const NodeId effects = builder_.add(mu_, builder_.mul(tau_, z_));
  const NodeId roots[] = {builder_.mul(builder_.exp(mu_), gathered(effects))};
  const ParameterCut cut = smallest_cut(builder_.graph(), roots, unbounded_);
  const GraphOfCut rewritten = in_cut(builder_.graph(), roots, cut);
  EXPECT_EQ(cut.theta, std::vector{0});
  ASSERT_EQ(rewritten.roots.size(), 1u);
  const Graph& graph = *rewritten.graph;
  const Node& root = graph[rewritten.roots[0]];
  EXPECT_EQ(root.space, Space::lane);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[NodeId{i}];
    if (node.op != Op::theta) continue;
    EXPECT_LE(node.attributes[0] + node.length, 1 + kEffects);
  }
  EXPECT_EQ(graph[rewritten.flat].values[0], 0.0);
}

}  // namespace
}  // namespace dpvi
