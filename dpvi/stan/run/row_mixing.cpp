#include <dpvi/stan/run/row_mixing.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <dpvi/base/error.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kRows = 4;
constexpr int kTables = 3;
constexpr std::uint64_t kSeed = 7002;

// Numbers keyed by quantity, in the order of its entries.
using Numbers = std::map<std::string, std::vector<double>>;

const Declaration* declaration_of(const StanProgram& program, const RowQuantity& quantity) {
  const BlockKind kind =
      quantity.generated ? BlockKind::generated_quantities : BlockKind::transformed_parameters;
  for (const StatementPtr& statement : program.block(kind).statements) {
    if (statement->kind == StatementKind::declaration &&
        statement->declaration->name == quantity.name) {
      return statement->declaration.get();
    }
  }
  return nullptr;
}

// The quantities of all rows, in the order of offsets_by_rows, so that rows come one after another.
std::optional<Numbers> run(const RunSetting& setting, const RowProgram& program,
                           std::span<const double> theta, std::span<const ProgramRecord> records) {
  GraphBuilder builder;
  ProgramRun run(setting, builder);
  try {
    run.run_at({theta, records, {}, true}, nullptr);
  } catch (const InputError&) {
    return std::nullopt;
  }
  Numbers numbers;
  for (const RowQuantity& quantity : program.quantities) {
    const Declaration* declaration = declaration_of(setting.checked.program, quantity);
    if (declaration == nullptr || !quantity.refusal.empty()) continue;
    const Value& value = run.value_of(*declaration);
    if (value.type().is_error()) continue;
    const NodeId node = value.flat(builder);
    if (!builder.is_constant(node)) continue;
    for (const std::int64_t offset : offsets_by_rows(value.type(), value.dims())) {
      numbers[quantity.name].push_back(
          builder.graph()[node].values[static_cast<std::size_t>(offset)]);
    }
  }
  return numbers;
}

bool differ(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  constexpr double kRounding = 1e-9;
  return std::abs(a - b) > kRounding * (std::abs(a) + std::abs(b));
}

bool depends_on_neighbours(const std::vector<double>& together,
                           const std::vector<std::vector<double>>& alone) {
  std::size_t at = 0;
  for (const std::vector<double>& row : alone) {
    for (const double number : row) {
      if (at >= together.size() || differ(together[at++], number)) return true;
    }
  }
  return at != together.size();
}

void compare(const RunSetting& setting, RowProgram& program, MockRecordGenerator& mock_generator) {
  std::vector<double> theta(static_cast<std::size_t>(program.free_size));
  for (double& entry : theta) entry = 0.5 * mock_generator.standard_normal();
  std::vector<ProgramRecord> records;
  for (std::size_t i = 0; i < kRows; ++i) records.push_back(mock_generator.next());
  const auto together = run(setting, program, theta, records);
  if (!together) return;
  std::map<std::string, std::vector<std::vector<double>>> alone;
  for (const ProgramRecord& record : records) {
    const auto numbers = run(setting, program, theta, std::span(&record, 1));
    if (!numbers) return;
    for (const auto& [name, row] : *numbers) alone[name].push_back(row);
  }
  for (RowQuantity& quantity : program.quantities) {
    const auto found = together->find(quantity.name);
    if (found == together->end() || alone[quantity.name].size() != kRows) continue;
    if (depends_on_neighbours(found->second, alone[quantity.name])) {
      quantity.refusal = "it combines rows: the value for a row depends on other rows";
    }
  }
}

}  // namespace

void refuse_mixing_rows(const RunSetting& setting, RowProgram& program) {
  // A loop that runs until a draw falls into a range never ends if equal arguments give equal
  // draws.
  constexpr std::int64_t kSteps = 200'000;
  StanModelOptions options = setting.options;
  options.limits.steps = std::min(options.limits.steps, kSteps);
  const RunSetting limited{setting.checked, setting.data, setting.registry, options};
  MockRecordGenerator mock_generator(program.record_variables, setting.options.facts, kSeed);
  for (int table = 0; table < kTables; ++table) compare(limited, program, mock_generator);
}

}  // namespace dpvi
