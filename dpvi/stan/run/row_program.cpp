#include <dpvi/stan/run/row_program.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/run/row_mixing.hpp>

namespace dpvi {
namespace {

constexpr std::uint64_t kMockSeed = 7003;

const StanExpression* leading_size(const Declaration& declaration) {
  if (!declaration.array_sizes->empty()) return declaration.array_sizes->front().get();
  return declaration.declared->sizes.empty() ? nullptr : declaration.declared->sizes.front().get();
}

// The name of each number of a row, e.g. "p[2,1]", and its offset among the quantity's entries.
struct Entry {
  std::string name;
  std::int64_t offset = 0;
};

std::vector<Entry> entries_of_row(const std::string& name, StanType type, const Dims& dims) {
  std::vector<Entry> result;
  for (const ListedEntry& entry : listed_entries({name, {}, type, dims, {}})) {
    // Removes the index that counts records, which is 1, from "p[1,2,1]".
    const std::string rest = entry.name.substr(name.size() + 2);
    result.push_back({rest == "]" ? name : name + "[" + rest.substr(1), entry.offset});
  }
  return result;
}

// Determines from the program text which variables each record variable can affect.
class Readers {
 public:
  Readers(const StanProgram& program, const DataBlock& data) {
    for (const DataBlockVariable& variable : data.variables) {
      if (variable.role != DataRole::record) continue;
      DataBlock alone = data;
      for (DataBlockVariable& other : alone.variables) {
        if (other.declaration != variable.declaration) other.role = DataRole::known;
      }
      reach_.emplace_back(variable.declaration->name, RecordDependence(program, alone, true));
    }
  }

  std::vector<std::string> read_by(int slot) const {
    std::vector<std::string> names;
    for (const auto& [name, dependence] : reach_) {
      if (dependence.on_records(slot) && !dependence.on_count_alone(slot)) names.push_back(name);
    }
    return names;
  }

 private:
  std::vector<std::pair<std::string, RecordDependence>> reach_;
};

class RowProgramBuilder {
 public:
  explicit RowProgramBuilder(const RunSetting& setting)
      : setting_(setting),
        dependence_(setting.checked.program, setting.data, true),
        readers_(setting.checked.program, setting.data),
        run_(setting, builder_) {}

  RowProgram build() {
    DrawSites sites;
    run_.run_on_row(sites);
    program_.free_size = run_.free_size();
    program_.record_variables = run_.columns();
    for (const RecordVariable& columns : program_.record_variables) {
      (columns.integer ? program_.integer_columns : program_.real_columns) += columns.count;
    }
    for (const BlockKind kind :
         {BlockKind::transformed_parameters, BlockKind::generated_quantities}) {
      collect(kind);
    }
    add_by_program(sites);
    program_.drawn_columns = sites.next_column - program_.real_columns;
    program_.sites = std::move(sites.sites);
    program_.graph = builder_.share();
    refuse_mixing_rows(setting_, program_);
    return std::move(program_);
  }

 private:
  void collect(BlockKind kind) {
    for (const StatementPtr& statement : setting_.checked.program.block(kind).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const Declaration& declaration = *statement->declaration;
      if (!dependence_.on_records(declaration.slot)) continue;
      RowQuantity quantity;
      quantity.name = declaration.name;
      quantity.generated = kind == BlockKind::generated_quantities;
      quantity.draws = dependence_.on_draws(declaration.slot);
      quantity.reads = readers_.read_by(declaration.slot);
      add_entries(declaration, quantity);
      program_.quantities.push_back(std::move(quantity));
    }
  }

  void add_entries(const Declaration& declaration, RowQuantity& quantity) {
    const StanExpression* size = leading_size(declaration);
    const Value& value = run_.value_of(declaration);
    if (size == nullptr || !dependence_.on_records(*size) ||
        (!value.type().is_error() && value.dims()[0] != 1)) {
      quantity.refusal = "the record count is not its first size, so it has no entry for each row";
      return;
    }
    if (value.type().is_error()) return;
    const std::vector<NodeId>& nodes = value.entries(builder_);
    for (const Entry& entry : entries_of_row(declaration.name, declaration.type(), value.dims())) {
      const NodeId node = nodes[static_cast<std::size_t>(entry.offset)];
      const bool unset = builder_.is_constant(node) && std::isnan(builder_.graph()[node].values[0]);
      if (unset) return quantity.entries.clear();
      quantity.entry_names.push_back(entry.name);
      quantity.entries.push_back(node);
    }
  }

  // Adds generated quantities that are not in the graph, if running the program on a mock record
  // gives them a value.
  void add_by_program(DrawSites& sites) {
    const bool complete = std::all_of(
        program_.quantities.begin(), program_.quantities.end(), [](const RowQuantity& quantity) {
          return !quantity.entries.empty() || !quantity.refusal.empty();
        });
    if (complete) return;
    ProgramSite& site = program_.by_program;
    site.program = std::make_shared<GeneratedDraws>(setting_.checked, setting_.data,
                                                    setting_.registry, setting_.options);
    site.first_column = sites.next_column;
    const std::vector<DrawnQuantity> found = on_mock_record(*site.program);
    for (RowQuantity& quantity : program_.quantities) {
      if (!quantity.entries.empty() || !quantity.refusal.empty()) continue;
      const auto drawn = std::find_if(found.begin(), found.end(), [&](const DrawnQuantity& one) {
        return one.name == quantity.name;
      });
      if (drawn == found.end()) {
        quantity.refusal = "the program does not compute it for a row alone";
      } else {
        add_drawn(*drawn, quantity);
      }
    }
    sites.next_column += site.count;
  }

  void add_drawn(const DrawnQuantity& drawn, RowQuantity& quantity) {
    ProgramSite& site = program_.by_program;
    quantity.entry_names.clear();
    site.quantities.push_back(drawn.name);
    std::vector<std::int64_t>& offsets = site.offsets.emplace_back();
    for (const Entry& entry : entries_of_row(drawn.name, drawn.type, drawn.dims)) {
      quantity.entry_names.push_back(entry.name);
      quantity.entries.push_back(builder_.record_real(site.first_column + site.count++));
      offsets.push_back(entry.offset);
    }
  }

  // The quantities that have a value at one of several points.
  std::vector<DrawnQuantity> on_mock_record(const GeneratedDraws& program) const {
    constexpr int kAttempts = 5;
    MockRecordGenerator mock_generator(program_.record_variables, setting_.options.facts,
                                       kMockSeed);
    std::vector<double> theta(static_cast<std::size_t>(program_.free_size));
    std::vector<DrawnQuantity> found;
    for (int attempt = 0; attempt < kAttempts && found.empty(); ++attempt) {
      for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
      try {
        ProgramRecord record = mock_generator.next();
        if (!setting_.data.tables.empty()) record.integers.back() = 0.0;  // a row of each table
        found = program.on_record(theta, record, [&] { return mock_generator.uniform(); });
      } catch (const InputError&) {
        continue;
      }
      std::erase_if(found, [](const DrawnQuantity& one) {
        return std::any_of(one.numbers.begin(), one.numbers.end(),
                           [](double number) { return std::isnan(number); });
      });
    }
    return found;
  }

  const RunSetting& setting_;
  RecordDependence dependence_;
  Readers readers_;
  GraphBuilder builder_;
  ProgramRun run_;
  RowProgram program_;
};

}  // namespace

const RowQuantity* RowProgram::find(std::string_view name) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const RowQuantity& one) { return one.name == name; });
  return found == quantities.end() ? nullptr : &*found;
}

RowProgram build_row_program(const CheckedProgram& checked, const DataBlock& data,
                             const FunctionRegistry& registry, const StanModelOptions& options) {
  const RunSetting setting{checked, data, registry, options};
  return RowProgramBuilder(setting).build();
}

}  // namespace dpvi
