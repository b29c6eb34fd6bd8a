#include <dpvi/stan/call_context.hpp>

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

void CallContext::spend(std::int64_t steps) {
  spent_ += steps;
  if (spent_ > limits.steps || builder.graph().size() > limits.nodes) {
    fail(kModelTooLarge,
         fmt::format("The program was stopped here after {} steps; the limit is {}.", spent_,
                     limits.steps),
         "Shorten its loops or replace them by vector operations.");
  }
}

std::int32_t CallContext::checked_size(std::int64_t size) {
  if (size < 0) fail(fmt::format("A size is {}; sizes are not negative.", size));
  if (size > limits.entries) {
    fail(kModelTooLarge,
         fmt::format("A value with {} entries; the limit is {}.", size, limits.entries));
  }
  spend(size / 8 + 1);
  return static_cast<std::int32_t>(size);
}

// Interval arithmetic over the few operations that loop ends are made of.
std::optional<IntRange> CallContext::range_of(NodeId id, int depth) const {
  constexpr int kMaxDepth = 20;
  const Node& node = builder.graph()[id];
  if (node.length != 1 || depth > kMaxDepth) return std::nullopt;
  constexpr double kLargest = 1e9;
  if (node.op == Op::constant) {
    const double number = node.values[0];
    if (!(std::abs(number) <= kLargest)) return std::nullopt;
    return IntRange{number, number};
  }
  if (const auto found = declared_ranges_.find(id); found != declared_ranges_.end()) {
    return found->second;
  }
  const bool choice = node.op == Op::select;
  if (!choice && node.arguments.size() != 2) return std::nullopt;
  const auto a = range_of(node.arguments[choice ? 1 : 0], depth + 1);
  const auto b = range_of(node.arguments[choice ? 2 : 1], depth + 1);
  if (!a || !b) return std::nullopt;
  switch (node.op) {
    case Op::select:
      return IntRange{std::min(a->low, b->low), std::max(a->high, b->high)};
    case Op::add:
      return IntRange{a->low + b->low, a->high + b->high};
    case Op::sub:
      return IntRange{a->low - b->high, a->high - b->low};
    case Op::min:
      return IntRange{std::min(a->low, b->low), std::min(a->high, b->high)};
    case Op::max:
      return IntRange{std::max(a->low, b->low), std::max(a->high, b->high)};
    default:
      return std::nullopt;
  }
}

std::int64_t CallContext::smallest(const Value& value, std::string_view what) {
  const auto range = range_of(value.flat(builder), 0);
  return range ? static_cast<std::int64_t>(range->low) : known_int(value, what);
}

std::int64_t CallContext::largest(const Value& value, std::string_view what) {
  const auto range = range_of(value.flat(builder), 0);
  return range ? static_cast<std::int64_t>(range->high) : known_int(value, what);
}

std::int64_t CallContext::known_int(const Value& value, std::string_view what) {
  const double* number = value.known(builder);
  if (number == nullptr) {
    const bool on_record = depends_on_record(builder.space(value.flat(builder)));
    fail(kModelUnsupported,
         fmt::format("{} depends on {}; it must be known before the program runs.", what,
                     on_record ? "record data" : "parameters"),
         on_record ? "For the end of a loop, declared bounds of the record data are enough." : "");
  }
  if (std::isnan(*number)) fail(fmt::format("{} has no value yet.", what));
  constexpr double kLargest = 9e15;
  if (std::abs(*number) > kLargest) fail(fmt::format("{} is {}.", what, *number));
  return static_cast<std::int64_t>(*number);
}

}  // namespace dpvi
