#include <dpvi/stan/value/value.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

#include <dpvi/tape/graph/entries.hpp>

namespace dpvi {

std::int64_t Dims::total() const {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < count_; ++i) product *= sizes_[i];
  return product;
}

Dims Dims::from(std::size_t first) const {
  Dims rest;
  for (std::size_t i = first; i < count_; ++i) rest.push(sizes_[i]);
  return rest;
}

bool Dims::operator==(const Dims& other) const {
  return count_ == other.count_ &&
         std::equal(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(count_),
                    other.sizes_.begin());
}

std::vector<std::int64_t> strides_of(StanType type, const Dims& dims) {
  const std::size_t arrays = static_cast<std::size_t>(type.array_rank);
  std::vector<std::int64_t> strides(dims.count(), 1);
  if (dims.count() == arrays + 2) strides[arrays + 1] = dims[arrays];
  std::int64_t block = dims.from(arrays).total();
  for (std::size_t i = arrays; i-- > 0;) {
    strides[i] = block;
    block *= dims[i];
  }
  return strides;
}

namespace {

// Offsets of all entries; the last dimension in `order` varies fastest.
std::vector<std::int64_t> offsets_in_order(StanType type, const Dims& dims,
                                           const std::vector<std::size_t>& order) {
  const std::vector<std::int64_t> strides = strides_of(type, dims);
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t axis : order) {
    std::vector<std::int64_t> longer;
    longer.reserve(offsets.size() * static_cast<std::size_t>(dims[axis]));
    for (const std::int64_t begin : offsets) {
      for (std::int64_t i = 0; i < dims[axis]; ++i) longer.push_back(begin + i * strides[axis]);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

}  // namespace

std::vector<std::int64_t> offsets_by_rows(StanType type, const Dims& dims) {
  std::vector<std::size_t> order(dims.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return offsets_in_order(type, dims, order);
}

std::vector<std::int64_t> offsets_by_columns(StanType type, const Dims& dims) {
  std::vector<std::size_t> order(dims.count());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return offsets_in_order(type, dims, order);
}

Value Value::constant_int(GraphBuilder& builder, std::int64_t value) {
  return scalar(kIntType, builder.constant(static_cast<double>(value)));
}

Value Value::constant_real(GraphBuilder& builder, double value) {
  return scalar(kRealType, builder.constant(value));
}

Value Value::undefined(GraphBuilder& builder, StanType type, const Dims& dims) {
  const NodeId nan = builder.constant(std::numeric_limits<double>::quiet_NaN());
  if (dims.count() == 0) return scalar(type, nan);
  return Value(type, dims, std::vector<NodeId>(static_cast<std::size_t>(dims.total()), nan));
}

Value Value::tuple(StanType type, const Dims& dims, std::vector<Value> parts) {
  Value made;
  made.type_ = type;
  made.dims_ = dims;
  for (const Value& part : parts) {
    made.trace.over_records =
        made.trace.over_records || (dims.count() > 0 && part.trace.over_records);
  }
  made.parts_ = std::make_shared<const std::vector<Value>>(std::move(parts));
  return made;
}

void Value::note_over_records() {
  trace.over_records = true;
  if (!parts_) return;
  std::vector<Value> noted = *parts_;
  for (Value& part : noted) part.note_over_records();
  parts_ = std::make_shared<const std::vector<Value>>(std::move(noted));
}

bool same_shape(const Value& a, const Value& b) {
  if (!(a.dims() == b.dims()) || a.is_tuple() != b.is_tuple()) return false;
  if (!a.is_tuple()) return true;
  return std::equal(a.parts().begin(), a.parts().end(), b.parts().begin(), b.parts().end(),
                    same_shape);
}

std::int64_t Value::rows() const {
  const std::size_t arrays = static_cast<std::size_t>(type_.array_rank);
  switch (type_.base) {
    case StanBase::vector:
    case StanBase::matrix:
      return dims_[arrays];
    default:
      return 1;
  }
}

std::int64_t Value::columns() const {
  const std::size_t arrays = static_cast<std::size_t>(type_.array_rank);
  if (type_.base == StanBase::row_vector) return dims_[arrays];
  return type_.base == StanBase::matrix ? dims_[arrays + 1] : 1;
}

NodeId Value::flat(GraphBuilder& builder) const {
  if (!has_flat_) {
    flat_ = builder.pack(*entries_);
    has_flat_ = true;
  }
  return flat_;
}

const std::vector<NodeId>& Value::entries(GraphBuilder& builder) const {
  if (!entries_) entries_ = std::make_shared<std::vector<NodeId>>(entries_of(builder, flat_));
  return *entries_;
}

NodeId Value::entry(GraphBuilder& builder, std::int64_t index) const {
  if (entries_) return (*entries_)[static_cast<std::size_t>(index)];
  return builder.element(flat_, static_cast<std::int32_t>(index));
}

bool Value::set_entry(GraphBuilder& builder, std::int64_t index, NodeId node) {
  entries(builder);
  const bool shared = entries_.use_count() > 1;
  if (shared) entries_ = std::make_shared<std::vector<NodeId>>(*entries_);
  (*entries_)[static_cast<std::size_t>(index)] = node;
  has_flat_ = false;
  return shared;
}

Value Value::array_element(GraphBuilder& builder, std::int64_t i) const {
  const Dims inner = dims_.from(1);
  if (parts_) {
    std::vector<Value> elements;
    for (const Value& part : *parts_) elements.push_back(part.array_element(builder, i));
    return tuple(type_.element(), inner, std::move(elements));
  }
  const std::int64_t length = inner.total();
  Value element;
  if (has_flat_) {
    const NodeId part = builder.slice(flat_, static_cast<std::int32_t>(i * length),
                                      static_cast<std::int32_t>(length));
    element = Value(type_.element(), inner, part);
  } else {
    const auto begin = entries_->begin() + static_cast<std::ptrdiff_t>(i * length);
    element = Value(type_.element(), inner,
                    std::vector<NodeId>(begin, begin + static_cast<std::ptrdiff_t>(length)));
  }
  return element;
}

Value Value::with_type(StanType type, const Dims& dims) const {
  Value changed = *this;
  changed.type_ = type;
  changed.dims_ = dims;
  return changed;
}

const double* Value::known(GraphBuilder& builder) const {
  if (!is_scalar() || parts_) return nullptr;
  const NodeId node = flat(builder);
  return builder.is_constant(node) ? builder.graph()[node].values.data() : nullptr;
}

}  // namespace dpvi
