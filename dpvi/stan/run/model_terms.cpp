#include <dpvi/stan/run/model_terms.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/stan/run/case_runs.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr std::uint64_t kMockSeed = 20260101;

// True if some term of the run without records has no finite value, so that differences to it are
// meaningless. For example, log_sum_exp over no records is -inf and sum(y) / N is NaN. Such a term
// is not finite at any of several points. A term that is the same in the run on a record belongs to
// the prior, whatever its value.
bool has_term_without_value(GraphBuilder& builder, const ProgramRun& run,
                            const std::vector<TargetTerm>& on_record) {
  constexpr int kPoints = 5;
  std::set<NodeId> shared;
  for (const TargetTerm& term : on_record) shared.insert(term.node);
  std::vector<NodeId> nodes;
  for (const TargetTerm& term : run.terms()) {
    if (!shared.contains(term.node)) nodes.push_back(term.node);
  }
  if (nodes.empty()) return false;
  const NodeId all = builder.pack(nodes);
  std::vector<int> failures(nodes.size(), 0);
  const RecordFacts no_facts;
  MockRecordGenerator mock_generator({}, no_facts, kMockSeed);
  std::vector<double> theta(static_cast<std::size_t>(run.free_size()));
  for (int point = 0; point < kPoints; ++point) {
    for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
    const std::vector<double> values = reference_values(builder.graph(), all, theta);
    for (std::size_t i = 0; i < values.size(); ++i) {
      failures[i] += std::isfinite(values[i]) ? 0 : 1;
    }
  }
  return std::find(failures.begin(), failures.end(), kPoints) != failures.end();
}

}  // namespace

void SignedTerms::add(GraphBuilder& builder, const std::vector<TargetTerm>& terms, int times) {
  for (const TargetTerm& term : terms) add(builder, term, times);
}

void SignedTerms::add(GraphBuilder& builder, const TargetTerm& term, int times) {
  add_node(builder, term.node, {term.spot.line, term.spot.column}, times, 0);
}

void SignedTerms::add_node(GraphBuilder& builder, NodeId node, Place place, int times, int depth) {
  constexpr int kMaxDepth = 200;
  const Node& content = builder.graph()[node];
  const bool sum = content.op == Op::add || content.op == Op::sub;
  if (depth < kMaxDepth && content.length == 1 && (sum || content.op == Op::neg)) {
    const NodeId first = content.arguments[0];
    const NodeId last = content.arguments.back();
    const bool minus = content.op != Op::add;
    if (sum) add_node(builder, first, place, times, depth + 1);
    add_node(builder, last, place, minus ? -times : times, depth + 1);
    return;
  }
  std::map<NodeId, int>& at = terms_[place];
  int& count = at[node];
  count += times;
  if (count == 0) at.erase(node);
}

NodeId SignedTerms::total(GraphBuilder& builder, Spot spot) const {
  NodeId sum = builder.constant(0.0);
  const auto found = terms_.find({spot.line, spot.column});
  if (found == terms_.end()) return sum;
  for (const auto& [node, count] : found->second) {
    const NodeId scaled = builder.mul(builder.constant(std::abs(count)), node);
    sum = count > 0 ? builder.add(sum, scaled) : builder.sub(sum, scaled);
  }
  return sum;
}

NodeId SignedTerms::total(GraphBuilder& builder) const {
  NodeId sum = builder.constant(0.0);
  for (const Spot spot : spots()) sum = builder.add(sum, total(builder, spot));
  return sum;
}

std::vector<Spot> SignedTerms::spots() const {
  std::vector<Spot> list;
  for (const auto& [place, nodes] : terms_) list.push_back({place.line, place.column});
  return list;
}

void SignedTerms::add_where(GraphBuilder& builder, NodeId mask, const SignedTerms& terms) {
  for (const Spot spot : terms.spots()) {
    const NodeId chosen = builder.select(mask, terms.total(builder, spot), builder.constant(0.0));
    ++terms_[{spot.line, spot.column}][chosen];
  }
}

ModelTerms::ModelTerms(const RunSetting& setting, GraphBuilder& builder) : builder_(builder) {
  if (setting.data.by_unit) {
    add_units(setting);
    return;
  }
  if (!setting.data.tables.empty()) {
    add_tables(setting);
    return;
  }
  CaseRuns symbolic(setting, builder);
  const std::vector<TargetTerm> on_record = symbolic.terms();
  columns_ = symbolic.columns();
  latents_ = symbolic.latents();
  has_cases_ = symbolic.has_cases();
  base_ = std::make_unique<ProgramRun>(setting, builder);
  runs_without_records_ =
      runs([&] { base_->run_on({}); }) && !has_term_without_value(builder, *base_, on_record);
  if (runs_without_records_) {
    prior_.add(builder, base_->terms(), 1);
    record_.add(builder, base_->terms(), -1);
  } else {
    extrapolate(setting);
  }
  record_.add(builder, on_record, 1);
}

namespace {

UnitLayout layout_of(const std::vector<RecordVariable>& row, std::int32_t most_rows) {
  UnitLayout layout{most_rows, 0, 0, row};
  for (const RecordVariable& columns : row) {
    (columns.integer ? layout.integer_columns : layout.real_columns) += columns.count;
  }
  return layout;
}

// The columns of all rows, and the number of rows.
std::vector<RecordVariable> columns_of_unit(const UnitLayout& layout) {
  std::vector<RecordVariable> all;
  for (const RecordVariable& columns : layout.variables) {
    for (std::int32_t row = 0; row < layout.most_rows; ++row) {
      RecordVariable here = columns;
      here.first_column = columns.first_column * layout.most_rows + row * columns.count;
      all.push_back(std::move(here));
    }
  }
  RecordVariable rows;
  rows.integer = true;
  rows.first_column = layout.integer_columns * layout.most_rows;
  rows.count = 1;
  rows.lower = 1.0;
  rows.upper = static_cast<double>(layout.most_rows);
  all.push_back(std::move(rows));
  return all;
}

[[noreturn]] void refuse_need_of_records(const RunSetting& setting, const RunFailure* failure) {
  const SourcePlace place =
      failure ? failure->error.place() : SourcePlace{setting.checked.source.file_name(), 0, 0};
  throw InputError(kModelFactorises,
                   fmt::format("The program has no density without rows of {}, so a row has no "
                               "contribution of its own.",
                               fmt::join(setting.data.tables, " and ")),
                   "A record contributes the program on its row alone minus the program on none. "
                   "Write the statements so that they do nothing without rows.",
                   place);
}

[[noreturn]] void refuse_need_of_rows(const RunSetting& setting, const RunFailure* failure) {
  const SourcePlace place =
      failure ? failure->error.place() : SourcePlace{setting.checked.source.file_name(), 0, 0};
  throw InputError(kModelFactorises,
                   "The program has no density without rows, so a unit has no contribution of its "
                   "own.",
                   "A unit contributes the program on its rows minus the program on none. Write "
                   "the statements so that they do nothing without rows: loops over the rows, and "
                   "'if (n > 1 && id[n] == id[n - 1])' before an earlier row is read.",
                   place);
}

}  // namespace

void ModelTerms::add_units(const RunSetting& setting) {
  base_ = std::make_unique<ProgramRun>(setting, builder_);
  const std::optional<RunFailure> failure = run_failure([&] { base_->run_on({}); });
  if (failure && failure->kind != RunFailureKind::fails) throw failure->error;
  if (failure) refuse_need_of_rows(setting, &*failure);
  prior_.add(builder_, base_->terms(), 1);
  const std::int32_t most = setting.options.rows_per_unit;
  std::vector<TargetTerm> before = base_->terms();
  std::int64_t spent = 0;
  NodeId row_count;
  for (std::int32_t rows = 1; rows <= most; ++rows) {
    ProgramRun run(setting, builder_);
    run.assume({}, {}, spent, false);
    run.run_on_symbolic_unit(rows, most);
    spent = run.spent();
    if (rows == 1) {
      unit_ = layout_of(run.columns(), most);
      columns_ = columns_of_unit(*unit_);
      latents_ = run.latents();
      for (RecordVariable& latent : latents_)
        latent.first_column += unit_->real_columns * (most - 1);
      row_count = builder_.record_int(columns_.back().first_column, 1);
      if (has_term_without_value(builder_, *base_, run.terms()))
        refuse_need_of_rows(setting, nullptr);
    }
    SignedTerms further;
    further.add(builder_, run.terms(), 1);
    further.add(builder_, before, -1);
    const NodeId has_row = builder_.binary(Op::le, builder_.constant(rows), row_count);
    record_.add_where(builder_, has_row, further);
    before = run.terms();
  }
}

void ModelTerms::add_tables(const RunSetting& setting) {
  base_ = std::make_unique<ProgramRun>(setting, builder_);
  const std::optional<RunFailure> failure = run_failure([&] { base_->run_on({}); });
  if (failure && failure->kind != RunFailureKind::fails) throw failure->error;
  if (failure) refuse_need_of_records(setting, &*failure);
  prior_.add(builder_, base_->terms(), 1);
  for (std::size_t table = 0; table < setting.data.tables.size(); ++table) {
    CaseRuns symbolic(setting, builder_, table);
    const std::vector<TargetTerm> on_row = symbolic.terms();
    if (has_term_without_value(builder_, *base_, on_row)) refuse_need_of_records(setting, nullptr);
    has_cases_ = has_cases_ || symbolic.has_cases();
    columns_ = symbolic.columns();
    SignedTerms own;
    own.add(builder_, on_row, 1);
    own.add(builder_, base_->terms(), -1);
    const NodeId number = builder_.record_int(columns_.back().first_column, 1);
    const NodeId is_row =
        builder_.binary(Op::eq, number, builder_.constant(static_cast<double>(table + 1)));
    record_.add_where(builder_, is_row, own);
  }
}

std::vector<RecordVariable> ModelTerms::all_columns() const {
  std::vector<RecordVariable> all = columns_;
  all.insert(all.end(), latents_.begin(), latents_.end());
  return all;
}

LatentColumns ModelTerms::latents() const {
  LatentColumns all;
  for (const RecordVariable& latent : latents_) {
    if (all.count == 0) all.first = latent.first_column;
    all.count += latent.count;
  }
  return all;
}

void ModelTerms::extrapolate(const RunSetting& setting) {
  MockRecordGenerator mock_generator(all_columns(), setting.options.facts, kMockSeed);
  const ProgramRecord record = mock_generator.next();
  mock_ = {record, record};
  base_ = std::make_unique<ProgramRun>(setting, builder_);
  base_->run_on(std::span(mock_).first(1));
  ProgramRun twice(setting, builder_);
  twice.run_on(mock_);
  for (const auto& [terms, times] :
       {std::pair(&base_->terms(), 2), std::pair(&twice.terms(), -1)}) {
    prior_.add(builder_, *terms, times);
    record_.add(builder_, *terms, -times);
  }
}

}  // namespace dpvi
