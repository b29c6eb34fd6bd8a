#pragma once

#include <span>

#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// The rows of one unit as a record in the columns of a layout. Latent variables, which follow the
// reals of a row, are those of the first row. There must be at least one row, and no more than the
// layout has.
ProgramRecord unit_record(const UnitLayout& layout, std::span<const ProgramRecord> rows);

}  // namespace dpvi
