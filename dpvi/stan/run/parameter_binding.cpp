#include <fmt/format.h>

#include <dpvi/model/transform.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/syntax/expression_text.hpp>

// Parameters as functions of the unconstrained vector theta.
namespace dpvi {
namespace {

TransformKind transform_of(const DeclaredType& type) {
  switch (type.special) {
    case SpecialType::ordered:
      return TransformKind::ordered;
    case SpecialType::positive_ordered:
      return TransformKind::positive_ordered;
    case SpecialType::simplex:
      return TransformKind::simplex;
    case SpecialType::unit_vector:
      return TransformKind::unit_vector;
    case SpecialType::sum_to_zero_vector:
      return TransformKind::sum_to_zero_vector;
    case SpecialType::sum_to_zero_matrix:
      return TransformKind::sum_to_zero_matrix;
    case SpecialType::cholesky_factor_corr:
      return TransformKind::cholesky_factor_corr;
    case SpecialType::cholesky_factor_cov:
      return TransformKind::cholesky_factor_cov;
    case SpecialType::corr_matrix:
      return TransformKind::corr_matrix;
    case SpecialType::cov_matrix:
      return TransformKind::cov_matrix;
    case SpecialType::column_stochastic_matrix:
      return TransformKind::column_stochastic_matrix;
    case SpecialType::row_stochastic_matrix:
      return TransformKind::row_stochastic_matrix;
    case SpecialType::none:
      break;
  }
  if (type.lower || type.upper) return TransformKind::bounded;
  return type.offset || type.multiplier ? TransformKind::affine : TransformKind::identity;
}

bool acts_entry_by_entry(TransformKind kind) {
  return kind == TransformKind::identity || kind == TransformKind::bounded ||
         kind == TransformKind::affine;
}

}  // namespace

void ProgramRun::bind_parameters() {
  const ProgramBlock& block = setting_.checked.program.block(BlockKind::parameters);
  for (const StatementPtr& statement : block.statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const Declaration& declaration = *statement->declaration;
    if (const auto axis = record_axis(declaration)) {
      bind_latent(declaration, *axis);
    } else {
      bind_parameter(declaration);
    }
  }
}

// The dimension of a parameter that counts records; nullopt if there is none.
std::optional<std::size_t> ProgramRun::record_axis(const Declaration& declaration) {
  std::vector<const StanExpression*> sizes;
  for (const ExpressionPtr& size : *declaration.array_sizes) sizes.push_back(size.get());
  for (const ExpressionPtr& size : declaration.declared->sizes) sizes.push_back(size.get());
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Value size = interpreter_.evaluate(*sizes[i]);
    if (!size.trace.counts_records) continue;
    context_.spot = sizes[i]->spot;
    if (!setting_.data.tables.empty()) {
      context_.fail(kModelLatent,
                    fmt::format("Parameter '{}' has an entry for each row of a table, and the "
                                "program has several tables.",
                                declaration.name),
                    "Integrate it out in the program: a censored value, for example, by "
                    "normal_lccdf(...) for each row of its table.");
    }
    const double* number = size.known(context_.builder);
    if (setting_.data.by_unit && !size.trace.counts_units) {
      context_.fail(
          kModelLatent,
          fmt::format("Parameter '{}' has an entry for each row, and a record is all rows "
                      "of one unit.",
                      declaration.name),
          "Latent variables of a unit have the number of units as one of their sizes.");
    }
    if (axis || number == nullptr || *number != static_cast<double>(latent_owners())) {
      context_.fail(kModelLatent,
                    fmt::format("Parameter '{}' has more or fewer than one entry for each {}.",
                                declaration.name, setting_.data.by_unit ? "unit" : "record"),
                    "A latent variable has the count itself as one of its sizes: vector[N] z, "
                    "array[N] vector[K] z, matrix[K, N] z.");
    }
    axis = i;
  }
  return axis;
}

// One number, or one per entry. A bound with the shape of one array element applies to all
// elements.
std::optional<NodeId> ProgramRun::parameter_bound(const Declaration& declaration,
                                                  const StanExpression* bound, const Dims& dims) {
  if (bound == nullptr) return std::nullopt;
  GraphBuilder& builder = context_.builder;
  const Value value = interpreter_.evaluate(*bound);
  context_.spot = bound->spot;
  const NodeId node = value.flat(builder);
  if (depends_on_record(builder.space(node))) {
    context_.fail(
        kModelRecords,
        fmt::format("A bound of parameter '{}' depends on record data.", declaration.name),
        "Give it as public data.");
  }
  if (value.trace.counts_records) {
    context_.fail(kModelRecords,
                  fmt::format("A bound of parameter '{}' depends on the number of records.",
                              declaration.name),
                  "Give it as public data: a number of its own that is the same for every table.");
  }
  const std::int64_t total = dims.total();
  if (value.is_scalar() || value.size() == total) return node;
  const Dims element = dims.from(static_cast<std::size_t>(declaration.type().array_rank));
  if (!(value.dims() == element) || element.total() == 0) {
    context_.fail(
        fmt::format("A bound of parameter '{}' differs from it in size.", declaration.name));
  }
  return builder.pack(std::vector<NodeId>(static_cast<std::size_t>(total / element.total()), node));
}

Transform ProgramRun::transform_for(const Declaration& declaration, const Dims& dims) {
  const DeclaredType& declared = *declaration.declared;
  Transform transform;
  transform.kind = transform_of(declared);
  transform.lower = parameter_bound(declaration, declared.lower.get(), dims);
  transform.upper = parameter_bound(declaration, declared.upper.get(), dims);
  transform.offset = parameter_bound(declaration, declared.offset.get(), dims);
  transform.multiplier = parameter_bound(declaration, declared.multiplier.get(), dims);
  context_.spot = declaration.spot;
  if (!is_supported(transform.kind)) {
    context_.fail(kModelUnsupported, fmt::format("Parameters of type '{}' are not supported.",
                                                 name_of(declared.special)));
  }
  if (acts_entry_by_entry(transform.kind)) {
    transform.rows = static_cast<std::int32_t>(dims.total());
    return transform;
  }
  const Dims element = dims.from(static_cast<std::size_t>(declaration.type().array_rank));
  transform.rows = static_cast<std::int32_t>(element[0]);
  transform.columns = element.count() > 1 ? static_cast<std::int32_t>(element[1]) : 1;
  if (element.total() == 0) context_.fail(fmt::format("'{}' has no entries.", declaration.name));
  return transform;
}

// The number of records or units, each of which has its own latent variables.
std::int64_t ProgramRun::latent_owners() const {
  return setting_.data.by_unit ? unit_count_ : record_count_;
}

// The unconstrained numbers of a record's latent variables are real columns after those of the
// data. (In a fit no table has them; they are integrated out.)

NodeId ProgramRun::latent_entry(const RecordVariable& columns, std::int64_t owner,
                                std::int64_t entry) {
  const bool by_unit = setting_.data.by_unit;
  if (!symbolic_) {
    const std::int64_t record = by_unit ? first_records()[static_cast<std::size_t>(owner)] : owner;
    return record_entry(columns, record, entry);
  }
  // A unit has columns for the rows that it may have, but one set of latent variables.
  const std::int64_t first = by_unit ? columns.first_column + data_real_columns_ * (capacity_ - 1)
                                     : column_of(columns, owner);
  return context_.builder.record_real(static_cast<std::int32_t>(first + entry));
}

void ProgramRun::bind_latent(const Declaration& declaration, std::size_t axis) {
  GraphBuilder& builder = context_.builder;
  const Dims dims = interpreter_.declared_dims(declaration);
  const std::int32_t total = context_.checked_size(dims.total());
  Value& value = interpreter_.slot(declaration.slot);
  const std::int64_t owners = latent_owners();
  if (owners == 0 || total == 0 || point_ != nullptr || context_.sites != nullptr) {
    value = Value::undefined(builder, declaration.type(), dims);
    value.trace.over_records = axis == 0;
    return;
  }
  const Transform transform = transform_for(declaration, dims);
  const bool by_entry = acts_entry_by_entry(transform.kind);
  const auto rank = static_cast<std::size_t>(declaration.type().array_rank);
  if (!by_entry && axis >= rank) {
    context_.fail(kModelLatent,
                  fmt::format("Parameter '{}' has one constrained value for all records together.",
                              declaration.name),
                  "Declare one for each record, e.g. 'array[N] simplex[K]'.");
  }
  // Pieces are entries, or array elements with a transform of their own.
  const Dims outer = by_entry ? dims : [&] {
    Dims arrays;
    for (std::size_t i = 0; i < rank; ++i) arrays.push(dims[i]);
    return arrays;
  }();
  const std::int64_t pieces = outer.total();
  const std::int32_t size = by_entry ? 1 : dpvi::free_size(transform);
  RecordVariable columns;
  columns.first_column = real_columns_;
  columns.count = static_cast<std::int32_t>(pieces / owners) * size;
  real_columns_ += columns.count;

  std::int64_t inner = 1;  // pieces between two neighbouring records, last index fastest
  for (std::size_t i = axis + 1; i < outer.count(); ++i) inner *= outer[i];
  std::vector<std::vector<NodeId>> free(static_cast<std::size_t>(pieces));
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t owner = i / inner % owners;
    const std::int64_t own = i / (inner * owners) * inner + i % inner;
    for (std::int32_t k = 0; k < size; ++k) {
      free[static_cast<std::size_t>(i)].push_back(latent_entry(columns, owner, own * size + k));
    }
  }
  // If densities are symbols, the law of a latent variable is read from the program. It is that of
  // the constrained value, so no Jacobian belongs to it.
  const auto add_jacobian = [&](NodeId log_jacobian) {
    if (densities_ == nullptr) interpreter_.add_term(log_jacobian, declaration.spot);
  };
  std::vector<NodeId> parts;
  if (by_entry) {
    const std::vector<std::int64_t> offsets = offsets_by_rows(declaration.type(), dims);
    std::vector<NodeId> placed(free.size());
    for (std::size_t i = 0; i < free.size(); ++i) {
      placed[static_cast<std::size_t>(offsets[i])] = free[i].front();
    }
    const ConstrainedNode made = constrain(builder, transform, builder.pack(placed));
    add_jacobian(made.log_jacobian);
    parts.push_back(made.value);
  } else {
    for (const std::vector<NodeId>& piece : free) {
      const ConstrainedNode made = constrain(builder, transform, builder.pack(piece));
      add_jacobian(made.log_jacobian);
      parts.push_back(made.value);
    }
  }
  context_.spend(total);
  value = Value(declaration.type(), dims, builder.pack(parts));
  value.trace.over_records = axis == 0;
  latents_.push_back(std::move(columns));
}

NodeId ProgramRun::next_free(std::int32_t size) {
  const std::int32_t first = free_size_;
  free_size_ += size;
  if (point_ == nullptr) return context_.builder.theta(first, size);
  if (static_cast<std::size_t>(free_size_) > point_->theta.size()) {
    context_.fail(fmt::format("The program has more than {} parameters.", point_->theta.size()));
  }
  return context_.builder.constant(
      point_->theta.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)));
}

void ProgramRun::bind_parameter(const Declaration& declaration) {
  GraphBuilder& builder = context_.builder;
  const Dims dims = interpreter_.declared_dims(declaration);
  const std::int32_t total = context_.checked_size(dims.total());
  const Transform transform = transform_for(declaration, dims);
  std::int64_t pieces = 1;
  if (!acts_entry_by_entry(transform.kind)) {
    pieces = total / dims.from(static_cast<std::size_t>(declaration.type().array_rank)).total();
  }
  ModelParameter parameter;
  parameter.first_free = free_size_;
  parameter.transform = transform.kind;
  std::vector<NodeId> parts;
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int32_t size = dpvi::free_size(transform);
    const ConstrainedNode made = constrain(builder, transform, next_free(size));
    parts.push_back(made.value);
    interpreter_.add_term(made.log_jacobian, declaration.spot);
    context_.spend(size);
  }
  parameter.free_size = free_size_ - parameter.first_free;
  const Value value(declaration.type(), dims, builder.pack(parts));
  parameter.value = {declaration.name, type_description(declaration), declaration.type(), dims,
                     value.flat(builder)};
  parameters_.push_back(std::move(parameter));
  interpreter_.slot(declaration.slot) = value;
}

}  // namespace dpvi
