#include <dpvi/stan/call_context.hpp>

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

std::int64_t CallContext::known_int(const Value& value, std::string_view what) {
  const double* number = value.known(builder);
  if (number == nullptr) {
    const bool on_record = depends_on_record(builder.space(value.flat(builder)));
    fail(kModelUnsupported,
         fmt::format("{} depends on {}; it must be known before the program runs.", what,
                     on_record ? "record data" : "parameters"));
  }
  if (std::isnan(*number)) fail(fmt::format("{} has no value yet.", what));
  constexpr double kLargest = 9e15;
  if (std::abs(*number) > kLargest) fail(fmt::format("{} is {}.", what, *number));
  return static_cast<std::int64_t>(*number);
}

}  // namespace dpvi
