#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/model/transform.hpp>
#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/checked_program.hpp>
#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// A data variable's value that is known before any record is read.
struct KnownValue {
  std::vector<std::int64_t> sizes;  // empty for a scalar
  std::vector<double> numbers;      // last index fastest
};

using KnownData = std::map<std::string, KnownValue, std::less<>>;

// What is made up for public data without a value: the sizes, and whether unbounded numbers are
// positive and those of a vector increase (as scales, positions and knots do).
struct InventedData {
  double size = 3;
  bool orderly = false;
};

struct StanModelOptions {
  std::string record_count = "N";
  KnownData known = {};
  RecordFacts facts = {};
  ComputedFacts computed = {};
  ExecutionLimits limits = {};
  // Public data without a value get a made-up one that fits its declaration: enough to look at a
  // program's structure, never for a fit.
  bool invent_missing = false;
  InventedData invented = {};
};

// A value with a name: its entries in the graph, sizes, and how to list them.
struct NamedValue {
  std::string name;
  std::string type_words;  // "vector<lower=0>[3]", sizes as the program writes them
  StanType type;
  Dims dims;
  NodeId node;  // all entries, in the order of offsets_by_rows' targets (value.hpp)
};

// "beta[2,1]" for each entry, and where it lies in the node; first index fastest, as Stan lists
// them in its output.
struct ListedEntry {
  std::string name;
  std::int64_t offset = 0;
};
std::vector<ListedEntry> listed_entries(const NamedValue& value);

struct ModelParameter {
  NamedValue value;
  std::int32_t first_free = 0;  // its place in the unconstrained vector
  std::int32_t free_size = 0;
  TransformKind transform = TransformKind::identity;  // of it, or of each element of an array
};

// One data variable per record: `count` columns of its kind (reals or ints counted apart) from
// `first_column`, last index fastest.
struct RecordVariable {
  const DataBlockVariable* variable = nullptr;
  bool integer = false;
  std::int32_t first_column = 0;
  std::int32_t count = 0;
  std::vector<std::int64_t> sizes;     // of one record's part
  std::optional<double> lower, upper;  // declared in the program, where known
};

// A transformed parameter or generated quantity that is not computed, and why.
struct DroppedQuantity {
  std::string name;
  std::string reason;
  bool failed = false;  // a statement could not be executed
};

// A program written into a graph, by the difference of two runs: log p(x | theta) of one record is
// the program on that record minus the program on none.
//
// Guarantee: no private data take part; all that is known of records is their declaration.
struct StanModel {
  std::shared_ptr<const Graph> graph;
  std::int32_t free_size = 0;  // length of theta
  std::int32_t real_columns = 0;
  std::int32_t integer_columns = 0;
  NodeId prior;   // depends on theta alone; with Jacobians
  NodeId record;  // depends on theta and one record
  // The program cannot run on no record; the prior rests on a made-up one.
  bool prior_from_made_up_record = false;
  std::vector<ModelParameter> parameters;
  std::vector<NamedValue> transformed_parameters;  // free of records
  std::vector<NamedValue> generated;               // kept generated quantities
  // Generated quantities that _rng functions draw and that need no record: GeneratedDraws has them.
  std::vector<std::string> drawn;
  std::vector<DroppedQuantity> dropped;
  std::vector<RecordVariable> record_variables;
};

// Parameters with one value per record, by name: they make a program unfit for build_stan_model.
std::vector<std::string> local_latents(const StanProgram& program, const DataBlock& data);

// Writes the model. The program must be free of errors, `data` made from it. Throws InputError
// where it cannot be run: a missing public value or fact, a limit, a failing statement, latents.
StanModel build_stan_model(const CheckedProgram& checked, const DataBlock& data,
                           const FunctionRegistry& registry, const StanModelOptions& options);

}  // namespace dpvi
