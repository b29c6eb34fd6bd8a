#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/draw_sites.hpp>
#include <dpvi/stan/generated_draws.hpp>
#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// A generated quantity or transformed parameter that depends on record data, as it is for one row.
struct RowQuantity {
  std::string name;
  // "p", or "p[2,1]" for each number of a row: the index that counts records is gone.
  std::vector<std::string> entry_names;
  std::vector<NodeId> entries;     // one number each, in the same order, first index fastest
  std::vector<std::string> reads;  // record variables of the program that it can depend on
  bool generated = true;           // or a transformed parameter
  bool draws = false;              // by _rng functions
  std::string refusal;             // why it has no value for a row; empty where it has
};

// Quantities that cannot be written down for an unknown row, a loop until a draw falls into a range
// say. They are drawn by running the program on each row, and stand in the graph like other draws:
// as reals from `first_column`, quantity after quantity, first index fastest.
struct ProgramSite {
  std::shared_ptr<const GeneratedDraws> program;
  std::vector<std::string> quantities;
  std::vector<std::vector<std::int64_t>> offsets;  // of each quantity's entries among its numbers
  std::int32_t first_column = 0;
  std::int32_t count = 0;
};

// What a program says about one row, written into a graph that reads the row's columns: for
// predictions, which run it on rows that the caller has, never on those of a fit.
//
// Guarantee: no record takes part in making it; made-up ones test that rows do not mix.
struct RowProgram {
  std::shared_ptr<const Graph> graph;
  std::int32_t free_size = 0;     // length of theta
  std::int32_t real_columns = 0;  // of a row, without what is drawn
  std::int32_t integer_columns = 0;
  std::vector<RecordVariable> record_variables;
  std::vector<DrawSite> sites;
  ProgramSite by_program;
  std::int32_t drawn_columns = 0;
  std::vector<RowQuantity> quantities;

  const RowQuantity* find(std::string_view name) const;
};

// The program must be free of errors, `data` made from it; all four must outlive the result. Throws
// InputError where it cannot be run on a row at all.
RowProgram build_row_program(const CheckedProgram& checked, const DataBlock& data,
                             const FunctionRegistry& registry, const StanModelOptions& options);

}  // namespace dpvi
