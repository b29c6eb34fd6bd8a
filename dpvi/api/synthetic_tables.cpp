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

}  // namespace

SyntheticTables draw_tables(const OpenedBundle& opened, const SynthRequest& request) {
  const RowProgram program = row_program(opened);
  SyntheticTables made;
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
  const std::vector<MockRecord> mock =
      given.empty() ? make_mock_records(binding, rows * request.datasets, generator)
                    : std::vector<MockRecord>{};
  const Posterior& posterior = opened.bundle.posterior;
  const auto thetas = posterior_draws(*posterior.total.family, posterior.total.parameters,
                                      request.datasets, generator);
  const SyntheticRows synthetic(program, binding, made.drawn);
  for (std::size_t table = 0; table < request.datasets; ++table) {
    std::vector<MockRecord> records;
    for (std::size_t row = 0; row < rows; ++row) {
      records.push_back(given.empty() ? mock[table * rows + row] : given[row % given.size()]);
    }
    synthetic.draw(records, thetas[table], table, generator, request.threads);
    made.csv.push_back(mock_csv(binding, records, generator));
  }
  return made;
}

}  // namespace dpvi
