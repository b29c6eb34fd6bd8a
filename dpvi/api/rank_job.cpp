#include <dpvi/api/rank_job.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include <dpvi/api/table_fingerprint.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/checked_rank_sum.hpp>
#include <dpvi/base/rank_error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/fit/train/private_fit.hpp>
#include <dpvi/fit/train/step_message.hpp>
#include <dpvi/report/plan_record.hpp>
#include <dpvi/report/reserved_space.hpp>

namespace dpvi {
namespace {

// What a rank tells when it joins: whether it failed, and two digests in four integers each.
struct Report {
  std::int64_t failed = 0;
  std::array<std::int64_t, 4> plan{}, table{};
};
constexpr std::size_t kReportSize = sizeof(Report) / sizeof(std::int64_t);
static_assert(sizeof(Report) == 9 * sizeof(std::int64_t));

// Of 64 hexadecimal digits.
std::array<std::int64_t, 4> integers_of(const std::string& digest) {
  std::array<std::int64_t, 4> integers{};
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = static_cast<std::int64_t>(std::stoull(digest.substr(16 * i, 16), nullptr, 16));
  }
  return integers;
}

std::string digest_of(const std::array<std::int64_t, 4>& integers) {
  std::string digest;
  for (const std::int64_t integer : integers) {
    digest += fmt::format("{:016x}", static_cast<std::uint64_t>(integer));
  }
  return digest;
}

std::vector<Report> exchange(RankLink& link, const Report& own) {
  std::vector<Report> reports(static_cast<std::size_t>(link.size()));
  reports[static_cast<std::size_t>(link.rank())] = own;
  const std::span<std::int64_t> integers(&reports[0].failed, reports.size() * kReportSize);
  CheckedRankSum(link).sum(integers);
  link.broadcast(std::as_writable_bytes(integers));
  return reports;
}

// Everything public that a record's integers depend on and that each rank finds for itself. The
// kernels belong to it: a record must have the same integers on whatever rank it is.
std::string plan_digest(const PlannedFit& planned) {
  const PrivateFitPlan& plan = planned.plan();
  const ModelToFit& model = plan.model();
  const ProgramInputs& inputs = planned.bound().program.inputs();
  const ProgramVersion version = library_version();
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", version.version, version.commit,
                                 fmt::join(instruction_sets(), " "), inputs.text,
                                 inputs.schema_text, plan_record(planned.privacy()));
  for (const BoundColumn& column : planned.binding().columns) text += column.name + "\n";
  for (const auto& [name, value] : planned.binding().public_data) {
    text += fmt::format("{} = {}\n", name, fmt::join(value.numbers, " "));
  }
  text +=
      fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(model.precision),
                  model.outcome.has_value(), model.simulation ? model.simulation->count : 0,
                  model.bins ? model.bins->size() : 0, model.unit.has_value(),
                  model.tape->theta_size(), model.tape->real_columns(), model.tape->int_columns());
  return sha256_hex(text);
}

std::string table_digest(const Table& table) {
  const std::string no_secret(64, '0');
  return fingerprint_of(table, [&] { return DataFingerprint(no_secret); });
}

void require_success(const std::vector<Report>& reports) {
  const auto failed = std::ranges::find_if(reports, [](const Report& r) { return r.failed != 0; });
  if (failed == reports.end()) return;
  throw rank_failure(fmt::format("rank {} could not open its records.", failed - reports.begin()),
                     "See the message of that rank. Nothing was spent.");
}

void require_same_plan(const std::vector<Report>& reports) {
  const auto other = std::ranges::find_if(
      reports, [&](const Report& report) { return report.plan != reports[0].plan; });
  if (other == reports.end()) return;
  throw UsageError(
      kContradiction,
      fmt::format("rank {} planned another fit than rank 0.", other - reports.begin()),
      "Start all ranks with the same program, schema, settings and version of dpvi, on "
      "processors with the same instruction sets.");
}

void require_same_table(const std::vector<Report>& reports) {
  for (const Report& report : reports) {
    if (report.table == reports[0].table) continue;
    throw InputError(kOtherLedger, "the ranks read different tables.",
                     "Give every rank the same table, or a part of its own.");
  }
}

}  // namespace

RankJob::~RankJob() {
  try {
    if (state_ == State::preparing) exchange(link_, {.failed = 1});
    if (state_ == State::fitting && is_root()) send_end(link_, JobEnd::failed);
  } catch (...) {
    // The link is broken, and the other ranks know it.
  }
  if (state_ == State::fitting && !is_root()) link_.abandon();
}

void RankJob::join(OpenedFit& opened, const Table& table, RankTable kind) {
  const Report own{.plan = integers_of(plan_digest(opened.planned())),
                   .table = integers_of(table_digest(table))};
  // From here on all ranks see the same reports, and decide alike.
  state_ = State::over;
  const std::vector<Report> reports = exchange(link_, own);
  require_success(reports);
  require_same_plan(reports);
  if (kind == RankTable::whole) {
    require_same_table(reports);
  } else {
    for (const Report& report : reports) parts_.push_back(digest_of(report.table));
  }
  opened.records_.share(link_, kind, parts_);
  state_ = State::fitting;
}

void RankJob::serve(OpenedFit opened, const FitExecution& execution) {
  serve_privately(std::move(opened.records_), {.threads = execution.threads});
  state_ = State::over;
}

void RankJob::finish() {
  state_ = State::over;
  send_end(link_, JobEnd::done);
}

bool fit_on_ranks(RankJob& job, const Program& program, const RankFit& fit) {
  if (job.is_root()) check_can_write_bundle(fit.bundle);
  UnopenedFit planned = plan_fit(program, fit.table, fit.request);
  std::optional<LedgerAccount> account;
  if (job.is_root() && fit.ledger) account.emplace(*fit.ledger, planned.planned(), fit.table);
  OpenedFit opened = open_records(std::move(planned));
  job.join(opened, fit.table, fit.table_kind);
  if (!job.is_root()) {
    job.serve(std::move(opened), fit.execution);
    return true;
  }
  if (account) account->recognise_parts(job.parts());
  ReservedSpace space(fit.bundle, bundle_size(opened.planned()));
  const FitResult result = account ? dpvi::fit(std::move(opened), *account, fit.execution)
                                   : dpvi::fit(std::move(opened), fit.execution);
  space.release();
  bool recorded = true;
  if (account) {
    recorded = write_bundle(result, *account, fit.bundle);
  } else {
    write_bundle(result, fit.bundle);
  }
  job.finish();
  return recorded;
}

}  // namespace dpvi
