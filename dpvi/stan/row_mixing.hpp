#pragma once

#include <dpvi/stan/program_run.hpp>
#include <dpvi/stan/row_program.hpp>

namespace dpvi {

// Tests on made-up records that a row's quantities do not change with the rows beside it, and gives
// those that do a refusal. Where no made-up record can be used, nothing is tested.
void refuse_mixing_rows(const RunSetting& setting, RowProgram& program);

}  // namespace dpvi
