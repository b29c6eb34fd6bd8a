#include <dpvi/api/synthetic_tables.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/fit/mock/mock_table.hpp>

namespace dpvi {
namespace {

// Returns covariates in the slots of the binding. Unusable rows are left out.
std::vector<MockRecord> mock_records_of(const RowTable& rows, const std::string& table) {
  std::vector<MockRecord> records;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    if (!rows.usable[row]) continue;
    const auto reals = rows.reals_of(row);
    const auto integers = rows.integers_of(row);
    records.push_back({{reals.begin(), reals.end()}, {integers.begin(), integers.end()}});
  }
  if (records.empty()) {
    throw InputError(kNothingUsable, "no row of the covariates is usable.",
                     "The table has no rows, or every row has a cell that is missing or violates "
                     "its declaration.",
                     {table, 0, 0});
  }
  return records;
}

// Returns the usable covariates, and counts the others.
std::vector<MockRecord> read_covariates(const OpenedBundle& opened, const Table& table,
                                        const std::vector<Replicate>& drawn,
                                        std::size_t& unusable) {
  WantedVariables wanted;
  for (const BoundVariable& variable : opened.bound.binding.variables) {
    const bool is_drawn = std::ranges::any_of(
        drawn, [&](const Replicate& one) { return one.variable == variable.name; });
    if (!is_drawn) wanted.needed.push_back(variable.name);
  }
  const RowTable rows = read_rows(opened, table, wanted);
  std::vector<MockRecord> records = mock_records_of(rows, name_of(table));
  unusable = rows.count() - records.size();
  return records;
}

void refuse_too_many(std::size_t rows, std::size_t datasets) {
  if (rows <= kMostSyntheticRows && rows * datasets <= kMostSyntheticRows) return;
  throw UsageError(kTooLarge,
                   fmt::format("{} tables of {} rows are more than {} rows.", datasets, rows,
                               kMostSyntheticRows),
                   "Make fewer at a time, with another --seed each time.");
}

// Returns the undrawn records of all tables in order.
class RecordsToFill {
 public:
  RecordsToFill(const Binding& binding, const std::vector<MockRecord>& given,
                const SeededGenerator& generator)
      : given_(given), mock_(binding, generator) {}

  std::vector<MockRecord> next(std::size_t first_row, std::size_t count) {
    std::vector<MockRecord> records;
    records.reserve(count);
    for (std::size_t row = first_row; row < first_row + count; ++row) {
      records.push_back(given_.empty() ? mock_.next() : given_[row % given_.size()]);
    }
    return records;
  }

 private:
  const std::vector<MockRecord>& given_;
  MockRecordSource mock_;
};

}  // namespace

SyntheticDraws draw_tables(const OpenedBundle& opened, const SynthRequest& request,
                           const TableSink& sink) {
  constexpr std::size_t kRowsAtOnce = std::size_t{1} << 15;
  const RowProgram program = row_program(opened);
  SyntheticDraws made;
  made.drawn = pair_outcomes(program, opened.bound.program.inputs().program,
                             opened.bound.program.data(), request.replicates);
  const SeededGenerator generator(request.seed);
  const Binding& binding = opened.bound.binding;
  std::vector<MockRecord> given;
  if (request.covariates) {
    given = read_covariates(opened, *request.covariates, made.drawn, made.unusable_covariates);
  }
  const std::size_t rows = request.rows.value_or(given.size());
  refuse_too_many(rows, request.datasets);
  RecordsToFill records(binding, given, generator);
  const Posterior& posterior = opened.bundle.posterior;
  const auto thetas = posterior_draws(*posterior.total.family, posterior.total.parameters,
                                      request.datasets, generator);
  const SyntheticRows synthetic(program, binding, made.drawn);
  for (std::size_t table = 0; table < request.datasets; ++table) {
    MockCsv csv(binding, generator);
    sink(table, csv.header());
    for (std::size_t first = 0; first < rows; first += kRowsAtOnce) {
      std::vector<MockRecord> part = records.next(first, std::min(kRowsAtOnce, rows - first));
      synthetic.draw(part, thetas[table], {table, first}, generator, request.threads);
      sink(table, csv.lines(part));
    }
  }
  return made;
}

SyntheticTables draw_tables(const OpenedBundle& opened, const SynthRequest& request) {
  SyntheticTables made;
  static_cast<SyntheticDraws&>(made) =
      draw_tables(opened, request, [&](std::size_t table, std::string_view text) {
        if (table == made.csv.size()) made.csv.emplace_back();
        made.csv.back() += text;
      });
  return made;
}

}  // namespace dpvi
