#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/stan/run/generated_draws.hpp>

namespace dpvi {

// A data variable that the program itself can draw. `quantity` is a generated quantity named after
// it (y_rep, y_sim, y_tilde, y_pred or y_new for y) that calls an _rng function.
struct Replicate {
  std::string variable;
  std::string quantity;
};

std::vector<Replicate> find_replicates(const StanProgram& program, const DataBlock& data);

// Replaces mock values by such draws, all at one draw from the prior. Reals are clamped to the
// bounds of the schema, as a reader does. Other draws that violate a bound are discarded. Returns
// the replicates that gave at least one value.
std::vector<Replicate> draw_outcomes(std::vector<MockRecord>& records, const Binding& binding,
                                     const RecordModel& model, const GeneratedDraws& program,
                                     const std::vector<Replicate>& replicates,
                                     const SeededGenerator& generator);

// The same at a given theta, with numbers from the stream.
std::vector<Replicate> draw_outcomes_at(std::span<const double> theta,
                                        std::vector<MockRecord>& records, const Binding& binding,
                                        const GeneratedDraws& program,
                                        const std::vector<Replicate>& replicates,
                                        SeededStream& stream);

}  // namespace dpvi
