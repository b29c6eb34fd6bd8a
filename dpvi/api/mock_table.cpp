#include <dpvi/api/mock_table.hpp>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/fit/mock/mock_table.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

// Draws the outcomes from the law of the model block, all at one draw from the prior. Returns their
// names, or an empty list if there is no law.
std::vector<std::string> draw_by_model(const BoundModel& bound, std::vector<MockRecord>& records,
                                       const SeededGenerator& generator) {
  const OutcomeSimulator simulator(bound.model, bound.binding);
  if (!simulator.found()) return {};
  SeededStream stream = generator.stream({.label = StreamLabel::predictive_draw});
  const auto theta = draw_from_prior(bound.model.prior(), bound.model.dimension(), stream);
  if (!theta) return {};
  simulator.simulate(*theta, records, generator);
  return simulator.outcomes();
}

}  // namespace

MockTable make_mock_table(const Program& program, std::size_t rows, std::uint64_t seed) {
  const BoundModel bound = bind_without_table(program);
  const CheckedProgram& checked = program.inputs().program;
  if (bound.binding.columns.empty()) {
    throw InputError(kNotBindable, "the program uses no record data.",
                     "Declare its data with the record count as their first size.",
                     {program.inputs().file, 0, 0});
  }
  const SeededGenerator generator(seed);
  std::vector<MockRecord> records = make_mock_records(bound.binding, rows, generator);
  MockTable table;
  table.unit = bound.binding.unit;
  table.by_model = draw_by_model(bound, records, generator);
  if (table.by_model.empty()) {
    const StanModelOptions options = bound.options();
    const GeneratedDraws draws(checked, program.data(), stan_functions(), options);
    table.drawn = draw_outcomes(records, bound.binding, bound.model, draws,
                                find_replicates(checked.program, program.data()), generator);
  }
  table.csv = mock_csv(bound.binding, records, generator);
  return table;
}

}  // namespace dpvi
