#include <dpvi/stan/prove/unit_factorisation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <dpvi/stan/prove/branch_coverage.hpp>
#include <dpvi/stan/prove/branch_thresholds.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/model_terms.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/stan/run/unit_record.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

using Rows = std::vector<ProgramRecord>;
using Place = std::pair<std::uint32_t, std::uint32_t>;  // line and column

class UnitFactorisationTest {
 public:
  UnitFactorisationTest(const RunSetting& setting, Findings& findings)
      : setting_(setting),
        findings_(findings),
        thresholds_(thresholds(setting.checked.program, setting.options.known, kThresholds)),
        terms_(setting, builder_),
        mock_generator_(columns_of_row(), setting.options.facts, kSeed) {}

  std::optional<bool> run() {
    for (int table = 0; table < kTables; ++table) compare(mock_units(table));
    if (compared_ == 0 && broken_.empty()) {
      findings_.warning(
          kModelFactorises, {},
          "No mock table had a finite density, so factorisation over units was not tested.",
          "Declare bounds in the data block, which make better mock rows.");
      return std::nullopt;
    }
    for (const auto& [line, column] : broken_) {
      findings_.error(kModelFactorises, {line, column},
                      "This statement does not add a sum of one contribution per unit.",
                      "Rows of one unit may be used together, e.g. after 'if (n > 1 && id[n] == "
                      "id[n - 1])'; rows of different units may not. Give values computed from "
                      "all rows as public data.");
    }
    return broken_.empty();
  }

 private:
  // The columns of one row, with the latent variables after its reals.
  std::vector<RecordVariable> columns_of_row() const {
    const UnitLayout& layout = *terms_.unit();
    std::vector<RecordVariable> columns = layout.variables;
    const std::vector<RecordVariable> all = terms_.all_columns();
    for (std::size_t i = terms_.columns().size(); i < all.size(); ++i) {
      columns.push_back(all[i]);
      columns.back().first_column -= layout.real_columns * (layout.most_rows - 1);
    }
    return columns;
  }

  // Units of different lengths. Half of the tables hold unusual rows, and rows that repeat values
  // of the row before, also across units.
  std::vector<Rows> mock_units(int table) {
    const auto most = static_cast<std::size_t>(terms_.unit()->most_rows);
    std::vector<Rows> units(2 + static_cast<std::size_t>(table % 3));
    ProgramRecord before = mock_generator_.next();
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      const double share = unit == 0 ? 1.0 : mock_generator_.uniform();
      const auto rows =
          static_cast<std::size_t>(share * static_cast<double>(std::min(most, kMost)));
      for (std::size_t i = 0; i < std::max<std::size_t>(rows, 1); ++i) {
        before = table % 2 == 0 ? mock_generator_.next()
                                : mock_generator_.next_unusual(thresholds_, before);
        units[unit].push_back(before);
      }
    }
    if (table % 4 > 1) std::ranges::reverse(units);
    return units;
  }

  void compare(const std::vector<Rows>& units) {
    Rows table;
    std::vector<std::size_t> unit_of;
    std::vector<ProgramRecord> records;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      table.insert(table.end(), units[unit].begin(), units[unit].end());
      unit_of.insert(unit_of.end(), units[unit].size(), unit);
      records.push_back(unit_record(*terms_.unit(), units[unit]));
    }
    ProgramRun all(setting_, builder_);
    if (!runs([&] { all.run_on_units(table, unit_of); })) return;
    SignedTerms together;
    together.add(builder_, all.terms(), 1);
    std::set<Place> places;
    const std::array<const SignedTerms*, 3> all_terms{&terms_.prior_terms(), &terms_.record_terms(),
                                                      &together};
    for (const SignedTerms* terms : all_terms) {
      for (const Spot spot : terms->spots()) places.insert({spot.line, spot.column});
    }
    for (int point = 0; point < kPoints; ++point) {
      std::vector<double> theta(static_cast<std::size_t>(terms_.base_run().free_size()));
      for (double& entry : theta) entry = 0.5 * mock_generator_.standard_normal();
      for (const Place& place : places) compare_at(place, theta, together, records);
    }
  }

  double value(const SignedTerms& terms, const Place& place, const std::vector<double>& theta,
               const ProgramRecord& record) {
    const MockColumns columns(record);
    const NodeId node = terms.total(builder_, {place.first, place.second});
    return reference_values(builder_.graph(), node, theta, columns.values()).front();
  }

  void compare_at(const Place& place, const std::vector<double>& theta, const SignedTerms& together,
                  const std::vector<ProgramRecord>& records) {
    double expected = value(terms_.prior_terms(), place, theta, {});
    double size = 1.0 + std::abs(expected);
    for (const ProgramRecord& record : records) {
      const double own = value(terms_.record_terms(), place, theta, record);
      expected += own;
      size += std::abs(own);
    }
    const double found = value(together, place, theta, {});
    if (!std::isfinite(expected) || std::isinf(found)) return;
    ++compared_;
    constexpr double kSlack = 1e-8;
    if (!(std::abs(found - expected) <= kSlack * size)) broken_.insert(place);
  }

  static constexpr std::uint64_t kSeed = 7002;
  static constexpr std::size_t kThresholds = 64;
  static constexpr int kTables = 12;
  static constexpr int kPoints = 3;
  static constexpr std::size_t kMost = 5;  // rows of a mock unit

  const RunSetting& setting_;
  Findings& findings_;
  std::vector<double> thresholds_;
  GraphBuilder builder_;
  ModelTerms terms_;
  MockRecordGenerator mock_generator_;
  std::set<Place> broken_;
  int compared_ = 0;
};

}  // namespace

std::optional<bool> test_unit_factorisation(const RunSetting& setting, Findings& findings) {
  return UnitFactorisationTest(setting, findings).run();
}

}  // namespace dpvi
