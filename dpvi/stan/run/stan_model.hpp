#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <dpvi/model/marginal_record.hpp>
#include <dpvi/model/transform.hpp>
#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/run/outcome_program.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/stan/types/checked_program.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// The value of a data variable that is known before any record is read.
struct KnownValue {
  std::vector<std::int64_t> sizes;  // empty for a scalar
  std::vector<double> numbers;      // last index fastest
};

using KnownData = std::map<std::string, KnownValue, std::less<>>;

// Settings for mock values of public data: the value of sizes, and whether other numbers are
// positive, as scales, positions and knots are.
struct MockPublicData {
  double size = 3;
  bool orderly = false;
};

struct StanModelOptions {
  std::string record_count = "N";
  KnownData known = {};
  RecordFacts facts = {};
  ComputedFacts computed = {};
  // The most rows of a unit, for programs that use the rows of a unit together.
  std::int32_t rows_per_unit = 1;
  ExecutionLimits limits = {};
  // Vectors computed from parameters stay whole where records gather from them, so that the numbers
  // through which records depend on parameters can be seen (parameter_cut.hpp).
  bool keep_gathered_vectors = false;
  MarginalSettings marginal = {};
  // Public data without a value get a mock value that fits the declaration. This is enough to
  // inspect a program's structure, but never for a fit.
  bool mock_missing = false;
  MockPublicData with_mock_data = {};
};

// A named value: its entries in the graph, its sizes, and how to list them.
struct NamedValue {
  std::string name;
  std::string type_description;  // "vector<lower=0>[3]", with sizes as written in the program
  StanType type;
  Dims dims;
  NodeId node;  // all entries, in the order of offsets_by_rows' targets (value.hpp)
};

// The name of each entry, e.g. "beta[2,1]", and its offset in the node. First index fastest, as in
// Stan's output.
struct ListedEntry {
  std::string name;
  std::int64_t offset = 0;
};
std::vector<ListedEntry> listed_entries(const NamedValue& value);

struct ModelParameter {
  NamedValue value;
  std::int32_t first_free = 0;  // offset in the unconstrained vector
  std::int32_t free_size = 0;
  TransformKind transform = TransformKind::identity;  // of the value or of each array element
};

// One data variable with a value per record: `count` columns of its kind from `first_column`, last
// index fastest. Reals and ints are numbered separately.
struct RecordVariable {
  const DataBlockVariable* variable = nullptr;  // null for a latent variable or a number of rows
  bool integer = false;
  std::int32_t first_column = 0;
  std::int32_t count = 0;
  std::vector<std::int64_t> sizes;     // of one record's part
  std::optional<double> lower, upper;  // as declared in the program, if known
};

// The rows of a unit in a record that holds all of them. Columns are grouped by variable, then by
// row. Rows that a unit does not have repeat its first row. The last integer column is the number
// of rows.
struct UnitLayout {
  std::int32_t most_rows = 1;
  std::int32_t real_columns = 0;  // of one row
  std::int32_t integer_columns = 0;
  std::vector<RecordVariable> variables;  // of one row
};

// A transformed parameter or generated quantity that is not computed, and the reason.
struct DroppedQuantity {
  std::string name;
  std::string reason;
  bool failed = false;  // a statement could not be executed
};

// A program written into a graph as the difference of two runs: log p(x | theta) of one record is
// the program on that record minus the program without records.
//
// Guarantee: no private data are used; the declaration is all that is known about records.
struct StanModel {
  std::shared_ptr<const Graph> graph;
  std::int32_t free_size = 0;  // length of theta
  std::int32_t real_columns = 0;
  std::int32_t integer_columns = 0;
  NodeId prior;   // depends on theta alone; includes the Jacobians
  NodeId record;  // depends on theta and one record; latent variables are integrated out
  // Parameters with values for each record, which are integrated out, and how.
  std::vector<std::string> latents;
  std::string latent_method;  // empty without latents
  // The program cannot run without records; the prior is derived from a mock record.
  bool prior_from_mock_record = false;
  std::vector<ModelParameter> parameters;
  std::vector<NamedValue> transformed_parameters;  // those free of records
  std::vector<NamedValue> generated;               // the generated quantities that are computed
  // Generated quantities that need no record but use _rng functions: see GeneratedDraws.
  std::vector<std::string> drawn;
  std::vector<DroppedQuantity> dropped;
  std::vector<RecordVariable> record_variables;
  std::optional<UnitLayout> unit;  // nullopt: a record is one row
  // The variables of one row of a table.
  const std::vector<RecordVariable>& row_variables() const {
    return unit ? unit->variables : record_variables;
  }
  std::vector<std::string> outcomes;  // those that the program gives a density
  // The law of the outcomes; always set by build_stan_model().
  std::shared_ptr<const OutcomeProgram> outcome_program;
};

// The names of parameters with values for each record. The model integrates them out.
std::vector<std::string> local_latents(const StanProgram& program, const DataBlock& data);

// Builds the model. The program must be free of errors and `data` made from it. Throws InputError
// if the program cannot be run: a missing public value or fact, an exceeded limit or a failing
// statement.
StanModel build_stan_model(const CheckedProgram& checked, const DataBlock& data,
                           const FunctionRegistry& registry, const StanModelOptions& options);

// The same, for callers that can continue without a model: returns the failure instead of throwing.
std::variant<StanModel, RunFailure> try_build_stan_model(const CheckedProgram& checked,
                                                         const DataBlock& data,
                                                         const FunctionRegistry& registry,
                                                         const StanModelOptions& options);

}  // namespace dpvi
