#pragma once

#include <dpvi/data/schema_draft.hpp>
#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// Finds the facts about record data that a program requests through mean, sd, variance, min and
// max. It inspects the text only: requests inside user-defined functions are not seen.
RequestedFacts requested_facts(const StanProgram& program, const DataBlock& data);

// Extends the error for one undeclared fact with the other undeclared facts that the program
// requests, so that all are reported together.
InputError with_all_facts(const InputError& error, const StanProgram& program,
                          const DataBlock& data, const RecordFacts& declared);

}  // namespace dpvi
