#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <dpvi/model/marginal_record.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// A signed sum of nodes, grouped by the statement that adds them.
class SignedTerms {
 public:
  // Splits sums and differences into their operands, so that terms common to two runs cancel.
  void add(GraphBuilder& builder, const TargetTerm& term, int times);
  void add(GraphBuilder& builder, const std::vector<TargetTerm>& terms, int times);

  // The sum after cancellation, of all statements or of one.
  NodeId total(GraphBuilder& builder) const;
  NodeId total(GraphBuilder& builder, Spot spot) const;
  std::vector<Spot> spots() const;
  // Adds the sum of other terms, where the mask holds, statement by statement.
  void add_where(GraphBuilder& builder, NodeId mask, const SignedTerms& terms);

 private:
  struct Place {
    std::uint32_t line, column;
    auto operator<=>(const Place&) const = default;
  };
  void add_node(GraphBuilder& builder, NodeId node, Place place, int times, int depth);

  std::map<Place, std::map<NodeId, int>> terms_;
};

// The two runs whose difference is the likelihood term of one record. If the program cannot run
// without records, its value there is extrapolated from one and two copies of a mock record d:
// L({}) = 2 L({d}) - L({d, d}), which holds for every density that factorises over records.
//
// If there are several tables, the program is run on one row of each alone. A record contributes
// the difference of the run on its table; the number of its table chooses it.
//
// If a record is a unit, the program is run on 0, 1, ... rows of one unit, up to the most that a
// unit may have. A unit with m rows contributes the sum of the first m differences of these runs.
class ModelTerms {
 public:
  ModelTerms(const RunSetting& setting, GraphBuilder& builder);

  bool runs_without_records() const { return runs_without_records_; }
  // See CaseRuns.
  bool has_cases() const { return has_cases_; }
  NodeId prior() const { return prior_.total(builder_); }
  NodeId record() const { return record_.total(builder_); }
  const SignedTerms& prior_terms() const { return prior_; }
  const SignedTerms& record_terms() const { return record_; }
  // The columns of a record. If records are units, those of one row are apart.
  const std::vector<RecordVariable>& columns() const { return columns_; }
  const std::optional<UnitLayout>& unit() const { return unit_; }
  // The columns of a record together with its latent variables, which record() reads as real
  // columns after those of the data.
  std::vector<RecordVariable> all_columns() const;
  LatentColumns latents() const;
  // The mock records behind the extrapolation; empty if the program can run without records.
  const std::vector<ProgramRecord>& mock_records() const { return mock_; }
  // The run that gives the prior; a run on the mock record if the program cannot run without
  // records.
  ProgramRun& base_run() { return *base_; }

 private:
  void extrapolate(const RunSetting& setting);
  void add_units(const RunSetting& setting);
  void add_tables(const RunSetting& setting);

  GraphBuilder& builder_;
  bool runs_without_records_ = true;
  bool has_cases_ = false;
  std::vector<RecordVariable> columns_;
  std::optional<UnitLayout> unit_;
  std::vector<RecordVariable> latents_;
  std::unique_ptr<ProgramRun> base_;
  std::vector<ProgramRecord> mock_;
  SignedTerms prior_;
  SignedTerms record_;
};

}  // namespace dpvi
