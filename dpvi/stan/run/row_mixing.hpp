#pragma once

#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/run/row_program.hpp>

namespace dpvi {

// Tests on mock records that the quantities of a row do not change with the neighbouring rows. Sets
// the refusal of each quantity that does. Tests nothing if the program cannot run on the mock
// records.
void refuse_mixing_rows(const RunSetting& setting, RowProgram& program);

}  // namespace dpvi
