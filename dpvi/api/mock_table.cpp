#include <dpvi/api/mock_table.hpp>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/fit/mock/mock_table.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

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
  const StanModelOptions options = bound.options();
  const GeneratedDraws draws(checked, program.data(), stan_functions(), options);
  const std::vector<Replicate> drawn =
      draw_outcomes(records, bound.binding, bound.model, draws,
                    find_replicates(checked.program, program.data()), generator);
  return {mock_csv(bound.binding, records, generator), drawn, bound.binding.unit};
}

}  // namespace dpvi
