#include <dpvi/model/densities/density_writer.hpp>

#include <algorithm>

namespace dpvi {

DensityWriter::DensityWriter(GraphBuilder& builder, Arguments arguments)
    : builder_(&builder),
      arguments_(arguments),
      total_(constant(builder, 0.0)),
      lawful_(constant(builder, 1.0)) {
  for (const ShapedNode& argument : arguments) entries_ = std::max(entries_, argument.size());
}

// NaN propagates by itself, so the value is returned unchanged.
Expression DensityWriter::not_nan(std::size_t index) {
  const Expression value = argument(index);
  required(value, dpvi::not_nan(value));
  return value;
}

// A result of exp() can fail the rule only by being NaN.
Expression DensityWriter::nonnegative(std::size_t index) {
  const Expression value = argument(index);
  if (builder_->graph()[value.id].op == Op::exp) return not_nan(index);
  return required(value, dpvi::nonnegative(value));
}

Expression DensityWriter::between(std::size_t index, double lower, double upper) {
  const Expression value = argument(index);
  return required(value, bounded(value, lower, upper));
}

Expression DensityWriter::required(Expression value, Expression rule) {
  lawful_ = lawful_ && all(rule);
  return where(rule, value);
}

Expression DensityWriter::location(std::size_t index) {
  const Expression value = argument(index);
  return value.space() == Space::lane ? value : required(value, dpvi::finite(value));
}

void DensityWriter::add(Expression term) {
  add_sum(term.length() == 1 ? static_cast<double>(entries_) * term : sum(term));
}

void DensityWriter::zero_where(Expression mask) {
  outside_ = outside_ ? *outside_ || any(mask) : any(mask);
}

NodeId DensityWriter::result() const {
  if (!outside_) return total_.id;
  return select(*outside_, lawful(-kInfinity), total_).id;
}

}  // namespace dpvi
