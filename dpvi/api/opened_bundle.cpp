#include <dpvi/api/opened_bundle.hpp>

#include <algorithm>
#include <string_view>

#include <dpvi/api/table_rows.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/report/bundle_damage.hpp>
#include <dpvi/report/bundle_program.hpp>

namespace dpvi {
namespace {

PublicData public_data_of_bundle(const PublicInputs& inputs, const std::string& folder) {
  PublicData data;
  for (const auto& [name, value] : inputs.values) {
    data[name] = {value.integers, value.dimensions, value.numbers, "run.json in " + folder, {}};
  }
  return data;
}

// The record counts of a program with several tables are joined by ", ".
void add_named_tables(const std::string& record_counts, Schema& schema) {
  constexpr std::string_view kComma = ", ";
  if (record_counts.find(kComma) == std::string::npos) return;
  for (std::size_t at = 0; at < record_counts.size();) {
    const std::size_t end = std::min(record_counts.find(kComma, at), record_counts.size());
    const std::string count = record_counts.substr(at, end - at);
    schema.tables.push_back({count, count, {}, {}, {}});
    at = end + kComma.size();
  }
}

Schema schema_of_bundle(const BundleProgram& files) {
  Schema schema;
  if (!files.schema_text.empty()) {
    schema = parse_foreign_schema(files.schema_text, files.schema_file, files.inputs.level_files);
  }
  // Files that the command line named are not told. New rows are not read from them anyway.
  if (schema.tables.empty()) add_named_tables(files.inputs.record_count, schema);
  for (const auto& [variable, columns] : files.inputs.columns) {
    if (!columns.empty()) schema.bindings.try_emplace(variable, DeclaredBinding{columns, {}});
  }
  return schema;
}

Program program_of_bundle(const BundleTexts& texts) {
  const BundleProgram files = read_bundle_program(texts);
  CheckedProgram checked = read_stan_program(files.model_file, files.model_text, stan_functions());
  return Program(ProgramInputs{files.model_file, files.model_text, files.schema_text,
                               files.inputs.record_count, std::move(checked),
                               schema_of_bundle(files),
                               public_data_of_bundle(files.inputs, texts.folder.string())});
}

BindingRequest request_for(const OpenedProgram& opened, const TableRows& table,
                           const std::vector<std::string>& variables) {
  BindingRequest request = opened.bound.program.binding_request();
  request.header = table.header();
  request.only = variables;
  // An empty list would mean all variables.
  if (request.only.empty()) request.only.emplace_back();
  return request;
}

bool has_columns_of(const TableRows& table, const Binding& binding,
                    const std::vector<std::string>& variables) {
  const auto in_header = [&](const std::string& column) {
    return std::find(table.header().begin(), table.header().end(), column) != table.header().end();
  };
  return std::all_of(variables.begin(), variables.end(), [&](const std::string& variable) {
    const std::vector<std::string> columns = columns_of(binding, variable);
    return std::all_of(columns.begin(), columns.end(), in_header);
  });
}

// Every row gets its own prediction, so rows are not grouped by unit.
Binding without_unit(Binding binding) {
  binding.unit.reset();
  return binding;
}

OpenedBundle opened(Bundle bundle, const BundleTexts& texts) {
  BoundModel bound = bind_without_table(program_of_bundle(texts));
  if (bound.model.dimension() != bundle.posterior.total.family->dimension()) {
    refuse_damaged("the size of the posterior differs from that of the program's parameters.",
                   {texts.path("posterior.json"), 0, 0});
  }
  StanModelOptions options = bound.options();
  return {{std::move(bound), std::move(options)}, std::move(bundle)};
}

// The records of a subset of the variables, appended block by block.
class Part {
 public:
  // Adds the columns of the binding to the request.
  Part(Binding binding, ColumnRequest& request)
      : binding_(without_unit(std::move(binding))),
        table_(binding_.real_slots.size(), binding_.integer_slots.size()),
        reader_(binding_, request.columns.size()) {
    request.columns.insert(request.columns.end(), binding_.columns.begin(), binding_.columns.end());
    request.missing = binding_.missing;
  }

  void append(const TypedBlock& block) { reader_.append(block, table_); }
  const RecordTable& table() const { return table_; }
  std::vector<bool> fill(RowTable& rows, const StanModel& model) const {
    return fill_rows(rows, model.row_variables(), binding_, table_);
  }

 private:
  Binding binding_;
  RecordTable table_;
  RecordReader reader_;
};

}  // namespace

OpenedBundle open_bundle(const std::string& folder) {
  return opened(read_bundle(folder), read_bundle_texts(folder));
}

OpenedBundle open_bundle(const BundleTexts& texts) { return opened(read_bundle(texts), texts); }

RowProgram row_program(const OpenedProgram& opened) {
  const Program& program = opened.bound.program;
  return build_row_program(program.inputs().program, program.data(), stan_functions(),
                           opened.options);
}

RowTable read_rows(const OpenedProgram& opened, const Table& table, const WantedVariables& wanted) {
  TableRows columns(table);
  ColumnRequest request;
  const auto bound_to = [&](const std::vector<std::string>& variables) {
    BindingRequest part = request_for(opened, columns, variables);
    part.table_file = name_of(table);
    Binding binding = bind_columns(part);
    columns.refuse_types(binding);
    return binding;
  };
  Part needed(bound_to(wanted.needed), request);
  const bool observed =
      !wanted.outcome.empty() && has_columns_of(columns, opened.bound.binding, wanted.outcome);
  Part outcome(bound_to(observed ? wanted.outcome : std::vector<std::string>{}), request);
  const std::unique_ptr<ColumnSource> source = columns.source(request);
  while (const TypedBlock* block = source->next_block()) {
    needed.append(*block);
    outcome.append(*block);
  }
  const StanModel& model = opened.bound.model.stan();
  RowTable rows = empty_rows(model.row_variables(), needed.table().record_count());
  rows.usable = needed.fill(rows, model);
  if (observed) rows.observed = outcome.fill(rows, model);
  return rows;
}

}  // namespace dpvi
