#include <dpvi/stan/run/program_run.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dpvi/stan/facts/constraint_checks.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/stan/syntax/expression_text.hpp>
#include <dpvi/stan/value/operators.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Symbols of densities are numbered after the latent variables, whose number is not known yet.
constexpr std::int32_t kMostLatentColumns = 1 << 20;

// Mock public data mimic typical ones. Public lists are usually times, knots or group codes, so
// mock lists are sorted. Square matrices are usually prior scales, so mock ones are symmetric with
// positive eigenvalues.
void mimic_public_data(const RecordVariable& shape, bool free, std::vector<double>& numbers) {
  if (shape.sizes.size() == 1) {
    std::sort(numbers.begin(), numbers.end());
    if (!shape.integer || shape.upper) return;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += static_cast<double>(i);
    return;
  }
  const bool square = !shape.integer && shape.sizes.size() == 2 && shape.sizes[0] == shape.sizes[1];
  if (!square || !free) return;
  const std::size_t size = static_cast<std::size_t>(shape.sizes[0]);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      numbers[i * size + j] = 0.5 / static_cast<double>(size) * std::tanh(numbers[i * size + j]);
      numbers[j * size + i] = numbers[i * size + j];
    }
    numbers[i * size + i] = 1.0 + std::abs(numbers[i * size + i]);
  }
}

}  // namespace

bool has_gaps(const Value& value, GraphBuilder& builder) {
  const std::vector<NodeId>& entries = value.entries(builder);
  return std::any_of(entries.begin(), entries.end(), [&](NodeId entry) {
    return builder.is_constant(entry) && std::isnan(builder.graph()[entry].values[0]);
  });
}

ProgramRun::ProgramRun(const RunSetting& setting, GraphBuilder& builder)
    : setting_(setting),
      context_(builder, setting.registry, setting.checked.source.file_name(),
               setting.options.limits),
      lookup_(setting.checked.program, setting.registry),
      needs_(setting.checked.program),
      interpreter_(setting.checked.program, lookup_, context_) {
  for (const DataBlockVariable& variable : setting.data.variables) {
    variable_names_.push_back(variable.declaration->name);
  }
  builder.limit_work(setting.options.limits.work);
  context_.facts = &setting.options.facts;
  context_.computed = &setting.options.computed;
  context_.variable_names = &variable_names_;
  context_.by_unit = setting.data.by_unit;
  if (setting.statements_apart) interpreter_.keep_statements_apart();
}

void ProgramRun::run_on_symbolic_records(std::int64_t count) {
  symbolic_ = true;
  record_count_ = capacity_ = count;
  unit_count_ = setting_.data.by_unit ? 1 : 0;
  unit_of_.assign(static_cast<std::size_t>(count), 0);
  if (count > 1) interpreter_.run_past_failures();
  separate_tables();
  run();
}

void ProgramRun::run_on_symbolic_row_of(std::size_t table) {
  symbolic_ = true;
  record_count_ = capacity_ = 1;
  rows_of_table_.resize(setting_.data.tables.size());
  rows_of_table_[table] = {0};
  run();
}

void ProgramRun::run_on_symbolic_record(DensitySites& densities) {
  densities_ = &densities;
  run_on_symbolic_records(1);
}

void ProgramRun::run_on_symbolic_unit(std::int64_t rows, std::int64_t capacity) {
  symbolic_ = true;
  record_count_ = rows;
  capacity_ = capacity;
  unit_count_ = 1;
  unit_of_.assign(static_cast<std::size_t>(rows), 0);
  run();
}

void ProgramRun::run_on_units(std::span<const ProgramRecord> records,
                              std::span<const std::size_t> unit_of) {
  unit_of_.assign(unit_of.begin(), unit_of.end());
  for (const std::size_t unit : unit_of) {
    unit_count_ = std::max(unit_count_, static_cast<std::int64_t>(unit) + 1);
  }
  run_on(records);
}

void ProgramRun::run_on(std::span<const ProgramRecord> records) {
  records_ = records;
  record_count_ = static_cast<std::int64_t>(records.size());
  if (unit_of_.empty()) separate_units();
  separate_tables();
  run();
}

ComputedFacts ProgramRun::facts_of(std::span<const ProgramRecord> records) {
  ComputedFacts facts;
  context_.computes = &facts;
  records_ = records;
  record_count_ = static_cast<std::int64_t>(records.size());
  separate_units();
  separate_tables();
  attempt([this] {
    bind_data();
    execute_transformed_data();
  });
  return facts;
}

void ProgramRun::attempt(const std::function<void()>& part) {
  const std::optional<RunFailure> failure = run_failure(part);
  if (!failure) return;
  const InputError& error = failure->error;
  const bool by_graph = failure->kind == RunFailureKind::too_large && error.place().file.empty();
  if (by_graph) context_.fail(error.code(), error.message(), error.hint());
  throw error;
}

void ProgramRun::run() {
  attempt([this] {
    bind_data();
    if (densities_ != nullptr) {
      densities_->first_column = real_columns_ + kMostLatentColumns;
      context_.densities = densities_;
    }
    data_real_columns_ = real_columns_;
    execute_transformed_data();
    check_declared_bounds(BlockKind::transformed_data);
    bind_parameters();
    execute_block(BlockKind::transformed_parameters);
    check_declared_bounds(BlockKind::transformed_parameters);
    execute_block(BlockKind::model);
  });
  terms_ = interpreter_.take_terms();
}

void ProgramRun::execute_block(BlockKind kind) {
  for (const StatementPtr& statement : setting_.checked.program.block(kind).statements) {
    interpreter_.execute(*statement);
  }
}

// Statements that the density does not need may fail.
void ProgramRun::execute_transformed_data() {
  const ProgramBlock& block = setting_.checked.program.block(BlockKind::transformed_data);
  for (const StatementPtr& statement : block.statements) {
    if (needs_.can_do_without(*statement)) {
      execute_what_runs(*statement);
    } else {
      interpreter_.execute(*statement);
    }
  }
}

// Bounds of transformed data that the density does not need say nothing about one record, unless
// there is a value for each record.
bool ProgramRun::bounds_concern_density(const Declaration& declaration, const Value& value) {
  if (value.type().is_error()) return false;
  return needs_.needs(declaration.slot) ||
         (value.trace.over_records && !has_gaps(value, context_.builder));
}

void ProgramRun::check_declared_bounds(BlockKind kind) {
  GraphBuilder& builder = context_.builder;
  const NodeId nan = builder.constant(std::numeric_limits<double>::quiet_NaN());
  for (const StatementPtr& statement : setting_.checked.program.block(kind).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    const Value value = interpreter_.slot(declaration.slot);
    if (kind == BlockKind::transformed_data && !bounds_concern_density(declaration, value)) {
      continue;
    }
    const DeclaredType& type = *declaration.declared;
    for (const StanExpression* bound : {type.lower.get(), type.upper.get()}) {
      if (bound == nullptr || value.size() == 0) continue;
      const Value limit = interpreter_.evaluate(*bound);
      if (limit.trace.counts_records) continue;  // counts the whole table, not 0 or 1 records
      context_.spot = bound->spot;
      const bool lower = bound == type.lower.get();
      const Value inside = lower ? elementwise(context_, Op::le, limit, value)
                                 : elementwise(context_, Op::le, value, limit);
      const NodeId all = builder.reduce(Op::min_of, inside.flat(builder));
      if (builder.is_constant(all) && builder.graph()[all].values[0] == 0) {
        context_.fail(fmt::format("'{}' is outside its declared bounds.", declaration.name));
      }
      interpreter_.add_term(builder.select(all, builder.constant(0.0), nan), declaration.spot);
    }
    declare_int_ranges(declaration, value);
  }
}

void ProgramRun::declare_int_ranges(const Declaration& declaration, const Value& value) {
  if (declaration.declared->base != StanBase::integer) return;
  const std::optional<double> lower = known_bound(declaration.declared->lower.get());
  const std::optional<double> upper = known_bound(declaration.declared->upper.get());
  if (!lower && !upper) return;
  for (const NodeId entry : value.entries(context_.builder)) {
    if (context_.builder.is_constant(entry)) continue;
    const IntRange known = context_.ranges.of(entry).value_or(IntRange{-kInfinity, kInfinity});
    context_.ranges.declare(entry, {std::max(known.low, lower.value_or(-kInfinity)),
                                    std::min(known.high, upper.value_or(kInfinity))});
  }
}

void ProgramRun::run_generated(const RecordDependence& dependence) {
  interpreter_.leave_out(&dependence);
  attempt([this] { execute_generated(); });
}

void ProgramRun::run_at(const KnownPoint& point, const RecordDependence* left_out) {
  point_ = &point;
  records_ = point.records;
  record_count_ = static_cast<std::int64_t>(point.records.size());
  separate_units();
  separate_tables();
  context_.draws = point.draws;
  context_.draws_repeat = point.draws_repeat;
  attempt([&] {
    bind_data();
    execute_transformed_data();
    bind_parameters();
    execute_block(BlockKind::transformed_parameters);
    interpreter_.leave_out(left_out);
    execute_generated();
  });
  point_ = nullptr;
}

void ProgramRun::run_on_row(DrawSites& sites) {
  symbolic_ = true;
  record_count_ = capacity_ = 1;
  separate_units();
  // The row is one of each table: a quantity uses the columns of its own.
  rows_of_table_.assign(setting_.data.tables.size(), {0});
  attempt([&] {
    bind_data();
    sites.next_column = real_columns_;
    context_.sites = &sites;
    execute_transformed_data();
    bind_parameters();
    execute_block(BlockKind::transformed_parameters);
    execute_generated();
  });
}

void ProgramRun::execute_generated() {
  const ProgramBlock& block = setting_.checked.program.block(BlockKind::generated_quantities);
  for (const StatementPtr& statement : block.statements) execute_what_runs(*statement);
}

void ProgramRun::execute_what_runs(const StanStatement& statement) {
  if (statement.kind != StatementKind::block) {
    std::string why = interpreter_.try_execute(statement);
    if (!why.empty()) failures_.push_back({&statement, std::move(why)});
    return;
  }
  for (const StatementPtr& child : statement.body) execute_what_runs(*child);
}

void ProgramRun::bind_data() {
  // A program with several tables has several numbers of records.
  context_.records = setting_.data.tables.empty() ? record_count_ : -1;
  context_.units = unit_count_;
  for (const DataBlockVariable& variable : setting_.data.variables) {
    const Declaration& declaration = *variable.declaration;
    context_.spot = declaration.spot;
    Value value;
    if (variable.role == DataRole::record_count || variable.role == DataRole::unit_count) {
      const bool units = variable.role == DataRole::unit_count;
      const auto rows = static_cast<std::int64_t>(units ? 0 : rows_of(variable).size());
      value = Value::constant_int(context_.builder, units ? unit_count_ : rows);
      value.trace.counts_records = true;
      value.trace.counts_units = units;
      value.trace.growth = 1;
    } else if (variable.role == DataRole::unit_index) {
      value = unit_numbers(interpreter_.declared_dims(declaration), declaration);
    } else {
      const Dims dims = interpreter_.declared_dims(declaration);
      context_.spot = declaration.spot;
      value = variable.role == DataRole::record ? record_value(variable, dims)
                                                : known_value(variable, dims);
    }
    interpreter_.slot(declaration.slot) = std::move(value);
    if (variable.role == DataRole::known) {
      check_known_bounds(variable, interpreter_.slot(declaration.slot));
    }
  }
  if (setting_.data.table_number) bind_table_number();
}

namespace {

// Checks public data of a special type: simplex, covariance matrix, ...
void check_special(const CallContext& context, const Declaration& declaration, const Dims& dims,
                   std::span<const double> numbers) {
  const DeclaredType& type = *declaration.declared;
  if (type.special == SpecialType::none || numbers.empty()) return;
  const auto arrays = static_cast<std::size_t>(declaration.type().array_rank);
  const Dims own = dims.from(arrays);
  const SpecialShape shape{static_cast<std::size_t>(own[0]),
                           own.count() > 1 ? static_cast<std::size_t>(own[1]) : 1};
  const std::size_t piece = shape.rows * shape.columns;
  for (std::size_t begin = 0; begin < numbers.size(); begin += piece) {
    const std::string_view rule = broken_rule(type.special, numbers.subspan(begin, piece), shape);
    if (rule.empty()) continue;
    context.fail(fmt::format("Public data '{}' is declared {}: {}.", declaration.name,
                             type_description(declaration), rule));
  }
}

}  // namespace

Value ProgramRun::known_value(const DataBlockVariable& variable, const Dims& dims) {
  const Declaration& declaration = *variable.declaration;
  const auto found = setting_.options.known.find(declaration.name);
  if (found == setting_.options.known.end() && setting_.options.mock_missing) {
    return mock_value(variable, dims);
  }
  if (found == setting_.options.known.end()) {
    context_.fail(
        kModelFact,
        fmt::format("Public data '{}' ({}) has no value.", declaration.name,
                    variable.type_description),
        fmt::format("Declare it in [public], in --public FILE.json{}.",
                    dims.count() == 0 ? fmt::format(", or by -D {}=...", declaration.name) : ""));
  }
  const KnownValue& known = found->second;
  Dims given;
  const std::size_t rank = std::min(known.sizes.size(), kMaxArrayRank + 2);
  for (std::size_t i = 0; i < rank; ++i) given.push(known.sizes[i]);
  // Stan JSON writes an empty value of any rank as [].
  const bool empty = dims.total() == 0 && known.numbers.empty();
  if ((!(given == dims) && !empty) ||
      static_cast<std::int64_t>(known.numbers.size()) != dims.total()) {
    const Value shape(declaration.type(), dims, NodeId{});
    context_.fail(fmt::format("Public data '{}' has {} numbers; it is declared {}.",
                              declaration.name, known.numbers.size(), shape_text(shape)));
  }
  for (const double number : known.numbers) {
    if (declaration.declared->base == StanBase::integer && std::trunc(number) != number) {
      context_.fail(
          fmt::format("Public data '{}' holds {}; it is declared int.", declaration.name, number));
    }
  }
  check_special(context_, declaration, dims, known.numbers);
  return value_by_rows(declaration, dims, known.numbers);
}

Value ProgramRun::mock_value(const DataBlockVariable& variable, const Dims& dims) {
  const Declaration& declaration = *variable.declaration;
  RecordVariable shape;
  shape.variable = &variable;
  shape.integer = declaration.declared->base == StanBase::integer;
  for (std::size_t i = 0; i < dims.count(); ++i) shape.sizes.push_back(dims[i]);
  shape.count = context_.checked_size(dims.total());
  shape.lower = known_bound(declaration.declared->lower.get());
  shape.upper = known_bound(declaration.declared->upper.get());
  // Small sizes suffice to show a program's structure; other ints are drawn like those of a record.
  const MockPublicData& wanted = setting_.options.with_mock_data;
  const double least = shape.integer ? 1.0 : 0.0;
  if (variable.used_as_size) {
    const double size = std::max(wanted.size, shape.lower.value_or(wanted.size));
    shape.lower = shape.upper = std::min(size, shape.upper.value_or(size));
  } else if (wanted.orderly && shape.upper.value_or(kInfinity) > least) {
    shape.lower = std::max(least, shape.lower.value_or(least));
  }
  MockRecordGenerator mock_generator({}, setting_.options.facts,
                                     static_cast<std::uint64_t>(declaration.slot));
  std::vector<double> by_rows = mock_generator.numbers_for(shape);
  const bool free = !declaration.declared->constrained();
  if (declaration.declared->special == SpecialType::none) mimic_public_data(shape, free, by_rows);
  return value_by_rows(declaration, dims, by_rows);
}

Value ProgramRun::value_by_rows(const Declaration& declaration, const Dims& dims,
                                const std::vector<double>& by_rows) {
  std::vector<double> numbers(by_rows.size());
  const std::vector<std::int64_t> offsets = offsets_by_rows(declaration.type(), dims);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[static_cast<std::size_t>(offsets[i])] = by_rows[i];
  }
  return Value(declaration.type(), dims, context_.builder.constant(numbers));
}

std::optional<double> ProgramRun::known_bound(const StanExpression* bound) {
  if (bound == nullptr) return std::nullopt;
  // The bound may fail, e.g. max(trials) over records; it then restricts nothing here.
  const std::optional<Value> value = interpreter_.try_evaluate(*bound);
  // The number of records is 0 or 1 in this run, unlike in the table.
  if (!value || value->trace.counts_records) return std::nullopt;
  const double* number = value->known(context_.builder);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

void ProgramRun::check_known_bounds(const DataBlockVariable& variable, const Value& value) {
  const DeclaredType& type = *variable.declaration->declared;
  const std::optional<double> lower = known_bound(type.lower.get());
  const std::optional<double> upper = known_bound(type.upper.get());
  context_.spot = variable.declaration->spot;
  const NodeId node = value.flat(context_.builder);
  for (const double number : context_.builder.graph()[node].values) {
    if ((lower && !(number >= *lower)) || (upper && !(number <= *upper))) {
      context_.fail(fmt::format("Public data '{}' is {}; its declaration is {}.",
                                variable.declaration->name, number, variable.type_description));
    }
  }
}

}  // namespace dpvi
