#include <dpvi/stan/facts/int_ranges.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e9;
// The empty range: its hull with any other range is that range.
constexpr IntRange kEmptyRange{kInfinity, -kInfinity};

constexpr IntRange kAnything{-kInfinity, kInfinity};

bool is_nothing(const IntRange& range) { return range.low > range.high; }

IntRange hull(const IntRange& a, const IntRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

IntRange of_numbers(std::span<const double> numbers) {
  IntRange range = kEmptyRange;
  for (const double number : numbers) {
    if (!std::isnan(number)) range = hull(range, {number, number});
  }
  return range;
}

IntRange product(const IntRange& a, const IntRange& b) {
  const double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double end : ends) {
    if (std::isnan(end)) return kAnything;
  }
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

constexpr IntRange kEither{0, 1};

// The range of a comparison: {1}, {0} or {0, 1}.
IntRange of_comparison(Op op, const IntRange& a, const IntRange& b) {
  const bool apart = a.high < b.low || b.high < a.low;
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
  bool always = false;
  bool never = false;
  switch (op) {
    case Op::lt:
      always = a.high < b.low;
      never = a.low >= b.high;
      break;
    case Op::le:
      always = a.high <= b.low;
      never = a.low > b.high;
      break;
    case Op::eq:
      always = same;
      never = apart;
      break;
    default:  // ne
      always = apart;
      never = same;
  }
  if (always) return {1, 1};
  return never ? IntRange{0, 0} : kEither;
}

IntRange of_pair(Op op, const IntRange& a, const IntRange& b) {
  switch (op) {
    case Op::add:
      return {a.low + b.low, a.high + b.high};
    case Op::sub:
      return {a.low - b.high, a.high - b.low};
    case Op::mul:
      return product(a, b);
    case Op::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    default:  // max
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }
}

// The range of the numbers that a gather reads for an index in this range. Positions outside the
// table give NaN.
IntRange of_table(const Node& table, const Node& gather, const IntRange& index) {
  const auto& [extent, index_stride, length, stride, offset] = gather.attributes;
  const auto first = static_cast<std::int64_t>(std::max(index.low, 0.0));
  const auto last = static_cast<std::int64_t>(std::min(index.high, extent - 1.0));
  IntRange range = kEmptyRange;
  for (std::int64_t at = first; at <= last; ++at) {
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t entry = offset + at * index_stride + k * stride;
      range = hull(range, of_numbers(std::span(&table.values[static_cast<std::size_t>(entry)], 1)));
    }
  }
  return range;
}

}  // namespace

void IntRanges::declare_column(std::int32_t column, IntRange range) {
  columns_[column] = range;
  known_.clear();
}

void IntRanges::declare(NodeId node, IntRange range) {
  declared_[node] = range;
  known_.clear();
}

std::optional<IntRange> IntRanges::of(NodeId node) {
  auto range = worked_out(node, 0);
  if (!range || is_nothing(*range)) return std::nullopt;
  if (std::abs(range->low) > kLargest) range->low = -kInfinity;
  if (std::abs(range->high) > kLargest) range->high = kInfinity;
  const bool tells = std::isfinite(range->low) || std::isfinite(range->high);
  return tells ? range : std::nullopt;
}

std::optional<IntRange> IntRanges::worked_out(NodeId id, int depth) {
  constexpr int kMaxDepth = 400;
  if (const auto found = declared_.find(id); found != declared_.end()) return found->second;
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  if (depth > kMaxDepth) return std::nullopt;
  const auto range = of_operation(graph_[id], depth + 1);
  known_[id] = range;
  return range;
}

// The hull of the ranges of a node's arguments, starting at index `first`.
std::optional<IntRange> IntRanges::hull_of(const Node& node, std::size_t first, int depth) {
  IntRange range = kEmptyRange;
  for (const NodeId argument : node.arguments.subspan(first)) {
    const auto own = worked_out(argument, depth);
    if (!own) return std::nullopt;
    range = hull(range, *own);
  }
  return range;
}

// A node may read several columns, each with its own declared range; without all of them there is
// no range.
std::optional<IntRange> IntRanges::of_columns(const Node& node) const {
  IntRange range = kEmptyRange;
  for (std::int32_t i = 0; i < node.length; ++i) {
    const auto found = columns_.find(node.attributes[0] + i);
    if (found == columns_.end()) return std::nullopt;
    range = hull(range, found->second);
  }
  return range;
}

std::optional<IntRange> IntRanges::of_operation(const Node& node, int depth) {
  switch (node.op) {
    case Op::constant:
      return of_numbers(node.values);
    case Op::lt:
    case Op::le:
    case Op::eq:
    case Op::ne: {
      const auto a = worked_out(node.arguments[0], depth);
      const auto b = worked_out(node.arguments[1], depth);
      if (!a || !b || is_nothing(*a) || is_nothing(*b)) return kEither;
      return of_comparison(node.op, *a, *b);
    }
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
    case Op::is_nan:
      return kEither;
    case Op::select:
      return hull_of(node, 1, depth);
    case Op::record_int:
      return of_columns(node);
    case Op::gather: {
      const Node& table = graph_[node.arguments[0]];
      if (table.op != Op::constant) return worked_out(node.arguments[0], depth);
      const auto index = worked_out(node.arguments[1], depth);
      return of_table(table, node, index ? *index : kAnything);
    }
    case Op::pack:
    case Op::slice:
    case Op::min_of:
    case Op::max_of:
    case Op::trunc:
    case Op::round:
      return hull_of(node, 0, depth);
    case Op::neg: {
      const auto own = hull_of(node, 0, depth);
      if (!own || is_nothing(*own)) return own;
      return IntRange{-own->high, -own->low};
    }
    case Op::sum: {
      const auto own = hull_of(node, 0, depth);
      if (!own || is_nothing(*own)) return own;
      const double count = graph_.length(node.arguments[0]);
      return IntRange{count * own->low, count * own->high};
    }
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::min:
    case Op::max: {
      const auto a = worked_out(node.arguments[0], depth);
      const auto b = worked_out(node.arguments[1], depth);
      if (!a || !b) return std::nullopt;
      return is_nothing(*a) || is_nothing(*b) ? kEmptyRange : of_pair(node.op, *a, *b);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace dpvi
