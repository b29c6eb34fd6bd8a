#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/base/rank_link.hpp>
#include <dpvi/fit/train/rank_share.hpp>

namespace dpvi {

// One rank's side of a private fit on several ranks. Every rank plans and opens its records as in
// one process, and then joins. The root alone has a ledger, fits and writes; the others serve.
//
//   RankJob job(link);
//   UnopenedFit planned = plan_fit(program, table, request);
//   OpenedFit opened = open_records(std::move(planned));
//   job.join(opened, table, RankTable::part);
//   if (!job.is_root()) return job.serve(std::move(opened));
//   write_bundle(fit(std::move(opened)), "result");
//   job.finish();
//
// The result is that of one process with all records and the same entropy, to the last bit.
//
// Guarantee: no rank waits for one that failed. If a rank fails before all have joined, all refuse
// and nothing is spent. If one fails later, the others end with InternalError DP502, nothing is
// written, and what was charged stays charged.
class RankJob {
 public:
  // `link` must outlive this object.
  explicit RankJob(RankLink& link) : link_(link) {}
  RankJob(const RankJob&) = delete;
  RankJob& operator=(const RankJob&) = delete;
  ~RankJob();

  bool is_root() const { return link_.is_root(); }

  // Waits until every rank has joined or failed. Reads the table a second time, as a ledger does.
  // Throws on every rank if the ranks planned different fits, have tables that they should not
  // have, or if one of them failed.
  void join(OpenedFit& opened, const Table& table, RankTable kind);

  // Digests of the ranks' parts, in their order; empty if every rank has the whole table. They are
  // secret, for the ledger only.
  const std::vector<std::string>& parts() const { return parts_; }

  // Takes part as another rank than the root, until the root has written the result.
  void serve(OpenedFit opened, const FitExecution& execution = {});

  // The root has written the result.
  void finish();

 private:
  enum class State { preparing, fitting, over };

  RankLink& link_;
  State state_ = State::preparing;
  std::vector<std::string> parts_;
};

// What a rank brings to a job, and where the root puts the result.
struct RankFit {
  Table table;
  RankTable table_kind = RankTable::part;
  FitRequest request;
  // The root alone uses these two.
  std::optional<LedgerChoice> ledger = std::nullopt;
  std::string bundle = {};
  FitExecution execution = {};
};

// All of it: plans, opens, joins, and fits and writes, or serves. `job` should be made before
// anything can fail on this rank. Returns false if the bundle is complete but the ledger could not
// record its release.
bool fit_on_ranks(RankJob& job, const Program& program, const RankFit& fit);

}  // namespace dpvi
