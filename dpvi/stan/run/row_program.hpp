#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/run/generated_draws.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/stan/value/draw_sites.hpp>

namespace dpvi {

// A generated quantity or transformed parameter that depends on record data, restricted to one row.
struct RowQuantity {
  std::string name;
  // "p", or "p[2,1]" for each number of a row, without the index that counts records.
  std::vector<std::string> entry_names;
  std::vector<NodeId> entries;     // one number each, in the same order, first index fastest
  std::vector<std::string> reads;  // record variables that it can depend on
  bool generated = true;           // false for a transformed parameter
  bool draws = false;              // uses _rng functions
  std::string refusal;             // why it has no value for a row; empty if it has one
};

// Quantities that cannot be expressed for a symbolic row, e.g. because of a loop that runs until a
// draw falls into a range. They are drawn by running the program on each row. The graph reads them
// like other draws: as real columns from `first_column`, quantity after quantity, first index
// fastest.
struct ProgramSite {
  std::shared_ptr<const GeneratedDraws> program;
  std::vector<std::string> quantities;
  std::vector<std::vector<std::int64_t>> offsets;  // of each quantity's entries among its numbers
  std::int32_t first_column = 0;
  std::int32_t count = 0;
};

// The quantities of one row, as a graph that reads the row's columns. Predictions evaluate it on
// rows that the caller supplies, never on those of a fit.
//
// Guarantee: no record is used to build it; mock records test that rows do not mix.
struct RowProgram {
  std::shared_ptr<const Graph> graph;
  std::int32_t free_size = 0;     // length of theta
  std::int32_t real_columns = 0;  // of a row, without drawn columns
  std::int32_t integer_columns = 0;
  std::vector<RecordVariable> record_variables;
  std::vector<DrawSite> sites;
  ProgramSite by_program;
  std::int32_t drawn_columns = 0;
  std::vector<RowQuantity> quantities;

  const RowQuantity* find(std::string_view name) const;
};

// The program must be free of errors and `data` made from it; all four arguments must outlive the
// result. Throws InputError if the program cannot be run on a row at all.
RowProgram build_row_program(const CheckedProgram& checked, const DataBlock& data,
                             const FunctionRegistry& registry, const StanModelOptions& options);

}  // namespace dpvi
