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
    if (statement->kind == StatementKind::declaration) bind_parameter(*statement->declaration);
  }
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
  const DeclaredType& declared = *declaration.declared;
  const Dims dims = interpreter_.declared_dims(declaration);
  const Dims element = dims.from(static_cast<std::size_t>(declaration.type().array_rank));
  const std::int32_t total = context_.checked_size(dims.total());

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
  std::int64_t pieces = 1;
  if (acts_entry_by_entry(transform.kind)) {
    transform.rows = total;
  } else {
    transform.rows = static_cast<std::int32_t>(element[0]);
    transform.columns = element.count() > 1 ? static_cast<std::int32_t>(element[1]) : 1;
    if (element.total() == 0) context_.fail(fmt::format("'{}' has no entries.", declaration.name));
    pieces = total / element.total();
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
