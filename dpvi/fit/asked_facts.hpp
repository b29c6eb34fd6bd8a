#pragma once

#include <dpvi/data/schema_draft.hpp>
#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// Which facts about record data a program asks for by mean, sd, variance, min and max. Reads the
// text: what it asks for by way of its own functions is not seen.
AskedFacts asked_facts(const StanProgram& program, const DataBlock& data);

// The error of a fact that nobody declared, with the other facts that the program asks for and that
// are missing too: they are told together.
InputError with_all_facts(const InputError& error, const StanProgram& program,
                          const DataBlock& data, const RecordFacts& declared);

}  // namespace dpvi
