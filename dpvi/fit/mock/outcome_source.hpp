#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/stan/run/outcome_program.hpp>
#include <dpvi/stan/value/scalar_draws.hpp>

namespace dpvi {

// True if a record may have this number in the column.
using AllowedNumber = std::function<bool(const RecordColumn& column, double number)>;

// Draws the outcomes of up to kLanes records at one theta. It serves one thread.
class OutcomeBlock {
 public:
  virtual ~OutcomeBlock() = default;

  // Replaces the outcomes of the records by draws. Record k uses numbers of uniforms[k] alone. With
  // `again`, the rest of the records is that of the last call. Bit k of the result is set if record
  // k was drawn; otherwise its outcomes stay as they were.
  virtual std::uint32_t draw(std::span<MockRecord> records, bool again,
                             std::span<const UniformSource> uniforms) = 0;
};

// Draws the outcomes of mock records at any theta, given the rest of each record.
class OutcomeSource {
 public:
  virtual ~OutcomeSource() = default;

  // The numbers of a record that are drawn.
  virtual std::span<const RecordColumn> columns() const = 0;

  // Draws without the checks of declared bounds.
  virtual std::unique_ptr<OutcomeBlock> block(std::span<const double> theta) const = 0;

  // Replaces the outcomes of the records by draws at theta. A number that is not allowed is drawn
  // again a few times; an empty function allows all. Returns for each record whether it was drawn;
  // otherwise its outcomes stay as they were. A record's draws depend on the generator and its
  // place in the list.
  virtual std::vector<bool> run(std::span<const double> theta, std::span<MockRecord> records,
                                const SeededGenerator& generator,
                                const AllowedNumber& allowed) const = 0;
};

}  // namespace dpvi
