#include <dpvi/stan/factorisation.hpp>

#include <cmath>
#include <set>

#include <fmt/format.h>

#include <dpvi/stan/model_terms.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kRecords = 8;
constexpr int kPoints = 3;
constexpr int kAttempts = 25;
constexpr std::size_t kCandidates = 8 * kRecords;  // made up in each attempt
constexpr std::uint64_t kSeed = 7001;

// For each statement, its part of the prior, of one record, and of all records together.
struct StatementSums {
  std::vector<Spot> spots;
  NodeId prior, record, all;
};

NodeId packed(GraphBuilder& builder, const SignedTerms& terms, const std::vector<Spot>& spots) {
  std::vector<NodeId> nodes;
  for (const Spot spot : spots) nodes.push_back(terms.total(builder, spot));
  return builder.pack(nodes);
}

std::vector<double> values_on(const Graph& graph, NodeId node, const std::vector<double>& theta,
                              const MadeUpRecord& record) {
  const std::vector<std::int32_t> integers(record.integers.begin(), record.integers.end());
  return reference_values(graph, node, theta, {record.reals, integers});
}

bool all_finite(const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

class FactorisationTest {
 public:
  FactorisationTest(const RunSetting& setting, Findings& findings)
      : setting_(setting),
        findings_(findings),
        terms_(setting, builder_),
        inventor_(terms_.columns(), setting.options.facts, kSeed) {}

  std::optional<bool> run() {
    theta_.resize(static_cast<std::size_t>(terms_.base_run().free_size()));
    if (!find_records()) {
      findings_.warning(kModelFactorises, {},
                        "No made-up records gave a finite density; whether the density factorises "
                        "over records was not tested.",
                        "Bounds in the data block make better made-up records.");
      return std::nullopt;
    }
    ProgramRun all(setting_, builder_);
    all.run_on(records_);
    SignedTerms together;
    together.add(builder_, all.terms(), 1);
    gather_spots(together);
    sums_.prior = packed(builder_, terms_.prior_terms(), sums_.spots);
    sums_.record = packed(builder_, terms_.record_terms(), sums_.spots);
    sums_.all = packed(builder_, together, sums_.spots);
    std::set<std::size_t> broken;
    for (int point = 0; point < kPoints; ++point) {
      compare(broken);
      draw_theta();
    }
    for (const std::size_t i : broken) report(i);
    return broken.empty();
  }

 private:
  void draw_theta() {
    for (double& entry : theta_) entry = 0.5 * inventor_.standard_normal();
  }

  // A point, and records that have a finite density there.
  bool find_records() {
    const NodeId record = terms_.record();
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      draw_theta();
      records_.clear();
      for (std::size_t i = 0; i < kCandidates && records_.size() < kRecords; ++i) {
        MadeUpRecord candidate = inventor_.next();
        if (all_finite(values_on(builder_.graph(), record, theta_, candidate))) {
          records_.push_back(std::move(candidate));
        }
      }
      if (records_.size() == kRecords) return true;
    }
    return false;
  }

  void gather_spots(const SignedTerms& together) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const SignedTerms* terms : {&terms_.prior_terms(), &terms_.record_terms(), &together}) {
      for (const Spot spot : terms->spots()) places.insert({spot.line, spot.column});
    }
    for (const auto& [line, column] : places) sums_.spots.push_back({line, column});
  }

  void compare(std::set<std::size_t>& broken) const {
    const Graph& graph = builder_.graph();
    std::vector<double> expected = values_on(graph, sums_.prior, theta_, {});
    std::vector<double> size(expected.size(), 1.0);
    for (const MadeUpRecord& record : records_) {
      const std::vector<double> own = values_on(graph, sums_.record, theta_, record);
      for (std::size_t i = 0; i < own.size(); ++i) {
        expected[i] += own[i];
        size[i] += std::abs(own[i]);
      }
    }
    const std::vector<double> found = values_on(graph, sums_.all, theta_, {});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool comparable = std::isfinite(found[i]) && std::isfinite(expected[i]);
      constexpr double kTolerance = 1e-8;
      if (comparable && std::abs(found[i] - expected[i]) > kTolerance * size[i]) broken.insert(i);
    }
  }

  void report(std::size_t statement) {
    findings_.error(kModelFactorises, sums_.spots[statement],
                    "What this statement adds is no sum of one contribution for each record.",
                    "A record's contribution may use that record alone; give what is computed from "
                    "all of them (means, neighbours, totals) as public data.");
  }

  const RunSetting& setting_;
  Findings& findings_;
  GraphBuilder builder_;
  ModelTerms terms_;
  RecordInventor inventor_;
  std::vector<MadeUpRecord> records_;
  std::vector<double> theta_;
  StatementSums sums_;
};

}  // namespace

std::optional<bool> test_factorisation(const CheckedProgram& checked, const DataBlock& data,
                                       const FunctionRegistry& registry,
                                       const StanModelOptions& options, Findings& findings) {
  const RunSetting setting{checked, data, registry, options, true};
  return FactorisationTest(setting, findings).run();
}

}  // namespace dpvi
