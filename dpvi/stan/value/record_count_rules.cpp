#include <dpvi/stan/value/record_count_rules.hpp>

#include <cmath>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr const char* kHint =
    "A record's contribution may use that record alone, and neither the number nor the order of "
    "records.";

bool holds(Operator op, double difference) {
  switch (op) {
    case Operator::equal:
      return difference == 0;
    case Operator::not_equal:
      return difference != 0;
    case Operator::less:
      return difference < 0;
    case Operator::less_equal:
      return difference <= 0;
    case Operator::greater:
      return difference > 0;
    default:
      return difference >= 0;
  }
}

// The number in this run that the values count: of units or of records.
std::int64_t counted(const CallContext& context, const Value& left, const Value& right) {
  return left.trace.counts_units || right.trace.counts_units ? context.units : context.records;
}

bool varies(const Value& value) { return value.trace.counts_records && value.trace.growth == 0; }

// True if the comparison of left - right with 0 has the same result for 1, 2, ... records.
// `difference` is left - right in this run.
bool is_steady(Operator op, double difference, double growth, std::int64_t records) {
  if (growth == 0) return true;
  const double on_one = difference + growth * static_cast<double>(1 - records);
  if (op == Operator::equal || op == Operator::not_equal) {
    const double root = 1 - on_one / growth;
    return root < 1 || root != std::floor(root);
  }
  return holds(op, on_one) == holds(op, growth);
}

}  // namespace

void check_comparison(const CallContext& context, Operator op, const Value& left,
                      const Value& right) {
  if (op == Operator::logical_and || op == Operator::logical_or || context.counting) return;
  // Rows of a unit have an order. Tests on tables of several units decide (unit_factorisation.hpp).
  if (context.by_unit && (left.trace.position || right.trace.position)) return;
  if (left.trace.position != right.trace.position) {
    context.fail(kModelFactorises,
                 "The result here depends on a record's position among the records.", kHint);
  }
  if (!left.trace.counts_records && !right.trace.counts_records) return;
  // A record changes one count and leaves the others at 0. Tests on several tables decide.
  if (context.records < 0) return;
  const double* a = left.known(context.builder);
  const double* b = right.known(context.builder);
  const bool known = a != nullptr && b != nullptr && !varies(left) && !varies(right);
  const double growth = left.trace.growth - right.trace.growth;
  if (known && is_steady(op, *a - *b, growth, counted(context, left, right))) {
    return;
  }
  context.fail(kModelFactorises, "The result here depends on the number of records.", kHint);
}

void check_loop_ends(const CallContext& context, const Value& low, const Value& high) {
  if (!low.trace.counts_records && !high.trace.counts_records) return;
  const double* from = low.known(context.builder);
  const double* to = high.known(context.builder);
  const double growth = high.trace.growth - low.trace.growth;
  if (from != nullptr && to != nullptr && !varies(low) && !varies(high) && growth >= 0) {
    if (context.records < 0) return;
    const double rounds = *to - *from + 1;
    const double on_one = rounds + growth * static_cast<double>(1 - counted(context, low, high));
    if (growth == 0 || on_one >= 0) return;
  }
  context.fail(kModelFactorises,
               "The iterations of this loop do not correspond to the records one by one.", kHint);
}

void check_distribution_argument(const CallContext& context, const Value& argument) {
  if (!argument.trace.counts_records || argument.type().base != StanBase::integer) return;
  context.fail(kModelFactorises, "The number of records is an argument of a distribution here.",
               kHint);
}

void refuse_leaving_records(const CallContext& context) {
  context.fail(kModelFactorises, "This ends a loop over records before it has visited all of them.",
               kHint);
}

}  // namespace dpvi
