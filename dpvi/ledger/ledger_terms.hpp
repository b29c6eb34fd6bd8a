#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>

namespace dpvi {

// How a ledger decides whether another run fits (privacy_filter.hpp). Fixed when it is made.
enum class FilterKind {
  full_participation,  // every release uses every record; exact Gaussian differential privacy
  mixed                // sampled runs too; Rényi differential privacy
};
inline constexpr FilterKind kFilterKinds[] = {FilterKind::full_participation, FilterKind::mixed};

inline std::string_view name_of(FilterKind kind) {
  return kind == FilterKind::mixed ? "mixed" : "full-participation";
}

// The unit of a ledger whose records are rows. Any other unit is the name of a column.
inline constexpr std::string_view kRowUnit = "row";

// What a ledger promises about a data set: all runs together are (epsilon, delta)-differentially
// private under its adjacency, for records of its unit. It never changes.
struct LedgerTerms {
  double epsilon = 0.0;  // positive
  double delta = 0.0;    // above 0 and below 1
  Adjacency adjacency = Adjacency::substitute;
  std::string unit{kRowUnit};
  FilterKind filter = FilterKind::mixed;
  std::vector<double> orders = {};  // Rényi orders of a mixed ledger, fixed with the budget

  bool operator==(const LedgerTerms&) const = default;
};

// Throws a UsageError that names the field, the value and the rule.
void validate(const LedgerTerms& terms);

// The same terms with the order at which a budget holds the most Gaussian releases, if mixed.
LedgerTerms with_orders(LedgerTerms terms);

}  // namespace dpvi
