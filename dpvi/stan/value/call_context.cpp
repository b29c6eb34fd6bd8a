#include <dpvi/stan/value/call_context.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace dpvi {

void CallContext::fail(std::string message, std::string hint) const {
  fail(kModelFails, std::move(message), std::move(hint));
}

void CallContext::fail(const ErrorCode& code, std::string message, std::string hint) const {
  throw InputError(code, std::move(message), std::move(hint),
                   {file_name_, static_cast<int>(spot.line), static_cast<int>(spot.column)});
}

void CallContext::fail_sizes(std::string message, bool left_counts, bool right_counts) const {
  if (left_counts == right_counts) fail(std::move(message));
  fail(message + " One of them has an entry for each record, the other does not.",
       "Values of groups or items are public data of that size. A record selects its own by an "
       "index, e.g. effect[group[n]].");
}

void CallContext::spend(std::int64_t steps) {
  spent_ += steps;
  if (spent_ > limits.steps) {
    fail(kModelTooLarge,
         fmt::format("The program was stopped here after {} steps; the limit is {}.", spent_,
                     limits.steps),
         "Shorten its loops or replace them by vector operations.");
  }
  if (builder.graph().size() > limits.nodes) {
    fail(kModelTooLarge,
         fmt::format("The program was stopped here after it had computed {} different values; the "
                     "limit is {}.",
                     builder.graph().size(), limits.nodes),
         "Shorten its loops or replace them by vector operations.");
  }
}

std::int32_t CallContext::checked_size(std::int64_t size) {
  if (size < 0) fail(fmt::format("A size is {}; sizes are not negative.", size));
  if (size > limits.entries) {
    fail(kModelTooLarge,
         fmt::format("A value has {} entries; the limit is {}.", size, limits.entries));
  }
  spend(size / 8 + 1);
  return static_cast<std::int32_t>(size);
}

std::int64_t CallContext::smallest(const Value& value, std::string_view what) {
  const auto range = ranges.of(value.flat(builder));
  const bool told = range && std::isfinite(range->low);
  return told ? static_cast<std::int64_t>(range->low) : known_int(value, what);
}

std::int64_t CallContext::largest(const Value& value, std::string_view what) {
  const auto range = ranges.of(value.flat(builder));
  const bool told = range && std::isfinite(range->high);
  return told ? static_cast<std::int64_t>(range->high) : known_int(value, what);
}

void CallContext::assume(const AssumedInts& assumed, const std::set<NodeId>& outside, bool more) {
  assumes_ = true;
  outside_ = outside;
  cases_allowed_ = more;
  for (const auto& [node, value] : assumed) {
    const auto number = static_cast<double>(value);
    ranges.declare(node, {number, number});
  }
}

namespace {

constexpr double kMaxCases = 128;

}  // namespace

std::int64_t CallContext::known_inside(const Value& value, std::string_view what, double low,
                                       double high) {
  const NodeId node = value.flat(builder);
  const auto range = ranges.of(node);
  const bool open = !range || std::isinf(range->low) || std::isinf(range->high);
  if (!assumes_ || builder.space(node) != Space::data || !open) return known_int(value, what);
  if (range) low = std::max(low, range->low);
  if (range) high = std::min(high, range->high);
  if (outside_.contains(node)) fail(fmt::format("{} is not between {} and {}.", what, low, high));
  if (cases_allowed_ && high - low < kMaxCases) {
    throw CaseSplit{node, spot, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high),
                    true};
  }
  return known_int(value, what);
}

// The value assumed in this case. Returns nullopt if cases are not allowed, too many, or depend on
// parameters. Throws CaseSplit if a new split is needed.
std::optional<std::int64_t> CallContext::assumed_case(NodeId node) {
  if (!assumes_ || builder.space(node) != Space::data) return std::nullopt;
  auto range = ranges.of(node);
  if (!range) return std::nullopt;
  if (range->low == range->high) return static_cast<std::int64_t>(range->low);
  // The value is looked up in a public table. Splits by the index if it has fewer possible values
  // than the table entry.
  const Node& content = builder.graph()[node];
  if (content.op == Op::gather && builder.graph().length(content.arguments[1]) == 1) {
    const NodeId index = content.arguments[1];
    const auto places = ranges.of(index);
    if (places && places->high - places->low < range->high - range->low) {
      node = index;
      range = places;
    }
  }
  if (!cases_allowed_ || !(range->high - range->low < kMaxCases)) return std::nullopt;
  throw CaseSplit{node, spot, static_cast<std::int64_t>(range->low),
                  static_cast<std::int64_t>(range->high), false};
}

std::int64_t CallContext::known_int(const Value& value, std::string_view what) {
  const double* number = value.known(builder);
  if (number == nullptr) {
    const NodeId node = value.flat(builder);
    if (const auto found = assumed_case(node)) return *found;
    const Space space = builder.space(node);
    const bool on_record_alone = space == Space::data;
    const char* causes = on_record_alone            ? "record data"
                         : depends_on_record(space) ? "record data and parameters"
                                                    : "parameters";
    fail(kModelUnsupported,
         fmt::format("{} depends on {}; it must be known before the program runs.", what, causes),
         on_record_alone ? "Declare lower and upper bounds, not far apart, for the record data "
                           "that it is computed from."
                         : "");
  }
  if (std::isnan(*number)) fail(fmt::format("{} has no value yet.", what));
  constexpr double kLargest = 9e15;
  if (std::abs(*number) > kLargest) fail(fmt::format("{} is {}.", what, *number));
  return static_cast<std::int64_t>(*number);
}

}  // namespace dpvi
