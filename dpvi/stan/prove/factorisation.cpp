#include <dpvi/stan/prove/factorisation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include <dpvi/base/error.hpp>
#include <dpvi/stan/facts/neighbour_reads.hpp>
#include <dpvi/stan/prove/branch_coverage.hpp>
#include <dpvi/stan/prove/branch_thresholds.hpp>
#include <dpvi/stan/prove/record_separation.hpp>
#include <dpvi/stan/prove/unit_factorisation.hpp>
#include <dpvi/stan/run/model_terms.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kRecords = 8;
constexpr std::size_t kFewestRecords = 2;
constexpr int kPoints = 3;
constexpr int kAttempts = 25;
constexpr std::size_t kCandidates = 64 * kRecords;  // generated in each attempt
constexpr std::uint64_t kSeed = 7001;
constexpr std::size_t kThresholds = 64;
constexpr std::size_t kInformativeRecords = 24;
constexpr std::size_t kInformativePoints = 6;
// Limits on the cost of the search for records that cover new branches, and of comparisons on
// unusual tables, in numbers computed; and on the size of larger tables, in nodes created.
constexpr std::size_t kSearchCost = 4'000'000;
constexpr std::size_t kFirstSearchCost = 40'000'000;  // for records with a finite density
constexpr std::size_t kComparisonCost = 30'000'000;
constexpr std::size_t kTableNodes = 200'000;
constexpr std::size_t kLargestTable = 2000;

using Theta = std::vector<double>;
using Records = std::vector<ProgramRecord>;
using Places = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // lines and columns

NodeId packed(GraphBuilder& builder, const SignedTerms& terms, const std::vector<Spot>& spots) {
  std::vector<NodeId> nodes;
  for (const Spot spot : spots) {
    nodes.push_back(terms.total(builder, spot));
    if (builder.graph().length(nodes.back()) == 1) continue;
    throw InternalError(
        kInternal,
        fmt::format("line {}: the contribution of the statement is not one number.", spot.line),
        "Please report this.");
  }
  return builder.pack(nodes);
}

std::vector<double> values_on(const Graph& graph, NodeId node, const Theta& theta,
                              const ProgramRecord& record) {
  const MockColumns columns(record);
  return reference_values(graph, node, theta, columns.values());
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// Tolerance for the difference between two sums of the same terms. A huge term, from an extreme
// record, must not hide a difference among the other terms beyond its own rounding error.
struct Slack {
  double moderate = 0.0;
  double huge = 0.0;

  void add(double times, double size) {
    constexpr double kModerate = 1e3;
    moderate += times * std::min(size, kModerate);
    if (size > kModerate) huge += times * size;
  }
  double allowed() const {
    constexpr double kUsual = 1e-8;
    constexpr double kBesideHuge = 1e-4;  // allows for cancellation inside a term
    constexpr double kRounding = 1e-13;
    return huge > 0.0 ? kBesideHuge * moderate + kRounding * huge : kUsual * moderate;
  }
};

class FactorisationTest {
 public:
  FactorisationTest(const RunSetting& setting, Findings& findings)
      : setting_(setting),
        findings_(findings),
        thresholds_(thresholds(setting.checked.program, setting.options.known, kThresholds)),
        terms_(setting, builder_),
        mock_generator_(terms_.all_columns(), setting.options.facts, kSeed) {}

  std::optional<bool> run() {
    work_ = evaluation_work(builder_.graph(), std::array{terms_.record(), terms_.prior()}) +
            static_cast<std::size_t>(terms_.base_run().free_size());
    if (!find_records()) {
      findings_.warning(
          kModelFactorises, {},
          "No mock records gave a finite density, so factorisation over records was not tested.",
          "Declare bounds in the data block, which make better mock records.");
      return std::nullopt;
    }
    const std::size_t before = builder_.graph().size();
    compare(records_, records_.size());
    table_cost_ = (builder_.graph().size() - before) / records_.size() + 1;
    compare_unusual();
    find_joined();
    report();
    for (const auto& [line, column] : joined_) warn_of_joined({line, column});
    return broken_.empty();
  }

 private:
  Theta random_theta() {
    Theta theta(static_cast<std::size_t>(terms_.base_run().free_size()));
    for (double& entry : theta) entry = 0.5 * mock_generator_.standard_normal();
    return theta;
  }

  // Draws extreme entries and entries near the thresholds.
  Theta unusual_theta() {
    Theta theta = random_theta();
    for (double& entry : theta) {
      const double choice = mock_generator_.uniform();
      if (choice < 0.3) entry *= 6.0;
      if (choice > 0.6) entry = mock_generator_.near_threshold(thresholds_);
    }
    return theta;
  }

  // Finds a point and records that have a finite density there. Adds further random points.
  bool find_records() {
    const NodeId record = terms_.record();
    std::size_t left = std::max(2 * kRecords, kFirstSearchCost / work_);
    for (int attempt = 0; attempt < kAttempts && left > 0; ++attempt) {
      const Theta theta = random_theta();
      Records found;
      const std::size_t tries = std::max(search_tries(), 8 * kRecords);
      for (std::size_t i = 0; i < tries && left > 0 && found.size() < kRecords; ++i) {
        // Alternates between ordinary records and records near the thresholds.
        ProgramRecord candidate =
            i % 2 == 0 ? mock_generator_.next() : mock_generator_.next_unusual(thresholds_, {});
        if (i < 2 * kRecords && i % 2 == 1) continue;
        --left;
        if (all_finite(values_on(builder_.graph(), record, theta, candidate))) {
          found.push_back(std::move(candidate));
        }
      }
      if (found.size() <= records_.size()) continue;
      records_ = std::move(found);
      thetas_ = {theta};
      if (records_.size() == kRecords) break;
    }
    while (static_cast<int>(thetas_.size()) < kPoints) thetas_.push_back(random_theta());
    return records_.size() >= kFewestRecords;
  }

  // Compares on unusual tables: records and points that take new branches, equal neighbours, and a
  // table longer than the thresholds.
  void compare_unusual() {
    const NodeId root = builder_.add(terms_.record(), terms_.prior());
    BranchCoverage coverage(builder_, root);
    for (const ProgramRecord& record : records_) coverage.is_new(thetas_[0], record);
    informative_ = find_new_branch_records(coverage);
    find_informative_points(coverage);
    Records mixed = informative_;
    mixed.insert(mixed.end(), records_.begin(), records_.end());
    compare_if_it_runs(mixed, mixed.size());
    std::reverse(mixed.begin(), mixed.end());
    compare_if_it_runs(mixed, mixed.size());
    compare_if_it_runs(with_repeats(), 2 * records_.size());
    if (const std::size_t long_table = longer_table(); long_table > 0) {
      compare_if_it_runs(records_, long_table);
    }
  }

  // Finds statements that join records only for rare values, which mock records may miss. Tables
  // with several equal rare records may reveal them.
  void find_joined() {
    const Places joined = joined_places();
    if (!std::includes(broken_.begin(), broken_.end(), joined.begin(), joined.end())) {
      for (const ProgramRecord& record : informative_) compare_copies(record);
    }
    std::set_difference(joined.begin(), joined.end(), broken_.begin(), broken_.end(),
                        std::inserter(joined_, joined_.end()));
  }

  Places joined_places() {
    constexpr std::int64_t kUnknownRecords = 3;
    Places places;
    ProgramRun run(setting_, builder_);
    if (const auto failure = run_failure([&] { run.run_on_symbolic_records(kUnknownRecords); })) {
      // If a value need not be known for one record but must be for several, one record decides for
      // another.
      if (terms_.has_cases() || failure->kind != RunFailureKind::unsupported) return places;
      const SourcePlace& place = failure->error.place();
      broken_.insert(
          {static_cast<std::uint32_t>(place.line), static_cast<std::uint32_t>(place.column)});
      return places;
    }
    for (const Spot spot : statements_joining_records(builder_.graph(), run)) {
      places.insert({spot.line, spot.column});
    }
    return places;
  }

  void compare_copies(const ProgramRecord& record) {
    constexpr std::size_t kCopies = 6;
    Records table(kCopies, record);
    table.insert(table.end(), records_.begin(), records_.end());
    compare_if_it_runs(table, table.size());
  }

  std::size_t search_tries() const { return std::min(kCandidates, kSearchCost / work_); }

  Records find_new_branch_records(BranchCoverage& coverage) {
    const NodeId record = terms_.record();
    Records found;
    std::size_t tries = search_tries();
    ProgramRecord before = records_.front();
    for (; tries > 0 && found.size() < kInformativeRecords; --tries) {
      ProgramRecord candidate = mock_generator_.next_unusual(thresholds_, before);
      if (!all_finite(values_on(builder_.graph(), record, thetas_[0], candidate))) continue;
      const bool first_few = found.size() < kRecords / 2;
      if (!coverage.is_new(thetas_[0], candidate) && !first_few) continue;
      before = candidate;
      found.push_back(std::move(candidate));
    }
    return found;
  }

  void find_informative_points(BranchCoverage& coverage) {
    thetas_.push_back(unusual_theta());
    if (!coverage.has_conditions()) return;
    std::size_t tries = search_tries();
    for (; tries > 0 && thetas_.size() < kPoints + kInformativePoints; --tries) {
      Theta candidate = unusual_theta();
      if (coverage.is_new(candidate, records_.front())) thetas_.push_back(std::move(candidate));
    }
  }

  // Every record twice in a row; in the copy, some values are replaced by those of the first
  // record.
  Records with_repeats() {
    Records list;
    for (const ProgramRecord& record : records_) {
      ProgramRecord again = record;
      for (std::vector<double>* numbers : {&again.reals, &again.integers}) {
        const std::vector<double>& others =
            numbers == &again.reals ? records_.front().reals : records_.front().integers;
        for (std::size_t i = 0; i < numbers->size(); ++i) {
          if (mock_generator_.uniform() < 0.3) (*numbers)[i] = others[i];
        }
      }
      list.push_back(record);
      list.push_back(std::move(again));
    }
    return list;
  }

  // The length of a table that exceeds every threshold within the cost limit; 0 if there is none.
  std::size_t longer_table() const {
    const std::size_t most = std::min(kLargestTable, kTableNodes / table_cost_);
    std::size_t longest = 0;
    for (const double number : thresholds_) {
      const bool fits =
          number >= static_cast<double>(records_.size()) && number + 2 <= static_cast<double>(most);
      if (fits) longest = std::max(longest, static_cast<std::size_t>(number) + 2);
    }
    return longest;
  }

  // A table on which the whole program fails proves nothing, because any record may be the cause.
  void compare_if_it_runs(const Records& records, std::size_t count) {
    if (builder_.graph().size() + count * table_cost_ > setting_.options.limits.nodes / 2) return;
    const std::size_t cost = thetas_.size() * (work_ * (records.size() + 1) + table_cost_ * count);
    if (cost > cost_left_) return;
    cost_left_ -= cost;
    const auto failure = run_failure([&] { compare(records, count); });
    if (!failure || failure->kind == RunFailureKind::fails) return;
    if (failure->kind != RunFailureKind::too_large) throw failure->error;
  }

  // Compares the program on `count` records, cycling through those given, with the sum of its
  // terms.
  void compare(const Records& records, std::size_t count) {
    Records table;
    for (std::size_t i = 0; i < count; ++i) table.push_back(records[i % records.size()]);
    ProgramRun all(setting_, builder_);
    all.run_on(table);
    SignedTerms together;
    together.add(builder_, all.terms(), 1);
    Comparison sums;
    sums.spots = spots_of(together);
    sums.prior = packed(builder_, terms_.prior_terms(), sums.spots);
    sums.record = packed(builder_, terms_.record_terms(), sums.spots);
    sums.all = packed(builder_, together, sums.spots);
    for (const Theta& theta : thetas_) compare_at(theta, sums, records, count);
  }

  // For each statement, its term in the prior, in one record, and in all records together.
  struct Comparison {
    std::vector<Spot> spots;
    NodeId prior, record, all;
  };

  std::vector<Spot> spots_of(const SignedTerms& together) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const SignedTerms* terms : {&terms_.prior_terms(), &terms_.record_terms(), &together}) {
      for (const Spot spot : terms->spots()) places.insert({spot.line, spot.column});
    }
    std::vector<Spot> spots;
    for (const auto& [line, column] : places) spots.push_back({line, column});
    return spots;
  }

  void compare_at(const Theta& theta, const Comparison& sums, const Records& records,
                  std::size_t count) {
    const Graph& graph = builder_.graph();
    std::vector<double> expected = values_on(graph, sums.prior, theta, {});
    std::vector<Slack> slack;
    for (const double value : expected) slack.push_back({1.0 + std::abs(value)});
    for (std::size_t r = 0; r < records.size(); ++r) {
      const std::size_t times = count / records.size() + (r < count % records.size() ? 1 : 0);
      const std::vector<double> own = values_on(graph, sums.record, theta, records[r]);
      for (std::size_t i = 0; i < own.size(); ++i) {
        expected[i] += static_cast<double>(times) * own[i];
        slack[i].add(static_cast<double>(times), std::abs(own[i]));
      }
    }
    const std::vector<double> found = values_on(graph, sums.all, theta, {});
    std::vector<double> noise;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double difference = std::abs(found[i] - expected[i]);
      if (difference <= slack[i].allowed() || !std::isfinite(expected[i])) continue;
      if (std::isinf(found[i])) continue;
      if (noise.empty()) noise = rounding_noise(theta, sums, records);
      constexpr double kMargin = 1e3;
      if (difference <= kMargin * static_cast<double>(count) * noise[i]) continue;
      broken_.insert({sums.spots[i].line, sums.spots[i].column});
    }
  }

  // For each statement, how much a record's term changes under a negligible change of theta. After
  // cancellation of large numbers, only their rounding error remains.
  std::vector<double> rounding_noise(const Theta& theta, const Comparison& sums,
                                     const Records& records) const {
    std::vector<double> noise(sums.spots.size(), 0.0);
    for (const double nudge : {1e-15, -1e-15, 3e-15}) {
      Theta moved = theta;
      for (double& entry : moved) entry += nudge * (1.0 + std::abs(entry));
      for (const ProgramRecord& record : records) {
        const std::vector<double> here = values_on(builder_.graph(), sums.record, theta, record);
        const std::vector<double> there = values_on(builder_.graph(), sums.record, moved, record);
        for (std::size_t i = 0; i < noise.size(); ++i) {
          const double step = std::abs(there[i] - here[i]);
          if (std::isfinite(step)) noise[i] = std::max(noise[i], step);
        }
      }
    }
    return noise;
  }

  // Reports the neighbour reads that explain the failure or, if there are none, the statements that
  // do not factorise.
  void report() {
    constexpr std::size_t kMaxNeighbours = 3;
    if (broken_.empty()) return;
    std::vector<Spot> neighbours = neighbour_reads(setting_.checked.program, setting_.data);
    neighbours.resize(std::min(neighbours.size(), kMaxNeighbours));
    for (const Spot spot : neighbours) {
      findings_.error(kModelFactorises, spot,
                      "This reads values of a neighbouring record together with the record's own.",
                      "A record's contribution may use that record alone: give the values that it "
                      "needs of its neighbours as columns of its own, or make a whole series one "
                      "record, e.g. 'array[N] vector[T] y'.");
    }
    if (!neighbours.empty()) return;
    for (const auto& [line, column] : broken_) {
      findings_.error(kModelFactorises, {line, column},
                      "This statement does not add a sum of one contribution per record.",
                      "A record's contribution may use that record alone; give values computed "
                      "from all of them (means, neighbours, totals) as public data.");
    }
  }

  void warn_of_joined(Spot spot) {
    findings_.warning(kModelFactorises, spot,
                      "This statement may combine records: it did not combine any mock records, "
                      "but its formula does not prove that it never does.",
                      "A fit evaluates each record alone. If rare values combine records here, "
                      "write a sum in which each term uses one record.");
  }

  const RunSetting& setting_;
  Findings& findings_;
  std::vector<double> thresholds_;
  GraphBuilder builder_;
  ModelTerms terms_;
  MockRecordGenerator mock_generator_;
  Records records_;
  Records informative_;  // records that take branches which the others do not
  std::vector<Theta> thetas_;
  std::size_t work_ = 1;        // numbers computed for the prior and one record
  std::size_t table_cost_ = 1;  // nodes created per further record
  std::size_t cost_left_ = kComparisonCost;
  Places broken_;  // statements shown not to factorise
  Places joined_;  // statements not shown to factorise, without a counterexample
};

}  // namespace

std::optional<bool> test_factorisation(const CheckedProgram& checked, const DataBlock& data,
                                       const FunctionRegistry& registry,
                                       const StanModelOptions& options, Findings& findings) {
  const RunSetting setting{checked, data, registry, options, true};
  if (data.by_unit) return test_unit_factorisation(setting, findings);
  return FactorisationTest(setting, findings).run();
}

}  // namespace dpvi
