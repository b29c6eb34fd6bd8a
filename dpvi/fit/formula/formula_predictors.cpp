#include <dpvi/fit/formula/formula_predictors.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

// The lowest and the highest value that is declared or likely.
struct Range {
  std::optional<double> lower, upper;
};

Range range_of(const ColumnSchema& known) {
  Range range{known.lower, known.upper};
  if (known.mean && known.sd) {
    if (!range.lower) range.lower = *known.mean - 2.0 * *known.sd;
    if (!range.upper) range.upper = *known.mean + 2.0 * *known.sd;
  }
  return range;
}

[[noreturn]] void refuse_fact(const ColumnSchema& known, const std::string& message,
                              const std::string& hint) {
  throw InputError(kUndeclaredPublicFact, message, hint, known.place);
}

double value_of(const ColumnFunction& called, double x) {
  if (called.function == "log") return std::log(x);
  if (called.function == "log2") return std::log2(x);
  if (called.function == "log10") return std::log10(x);
  if (called.function == "log1p") return std::log1p(x);
  if (called.function == "exp") return std::exp(x);
  if (called.function == "sqrt") return std::sqrt(x);
  return std::pow(x, called.power);
}

std::string expression_of(const ColumnFunction& called, const std::string& name) {
  if (called.function.empty()) return name;
  if (called.function != "power") return fmt::format("{}({})", called.function, name);
  std::vector<std::string> factors(static_cast<std::size_t>(called.power), name);
  return fmt::format("{}", fmt::join(factors, " .* "));
}

}  // namespace

std::string rounded(double number) { return fmt::format("{:.6g}", number); }

Predictor FormulaPredictors::predictor(const std::string& name) {
  if (const auto found = predictors_.find(name); found != predictors_.end()) return found->second;
  const auto function = formula_.functions.find(name);
  Predictor made = function == formula_.functions.end() ? column_predictor(name)
                                                        : function_predictor(function->second);
  if (made.word.empty()) made.word = columns_.name_of(name);
  predictors_[name] = made;
  return made;
}

Predictor FormulaPredictors::column_predictor(const std::string& name) {
  const ColumnSchema& known = columns_.column(name);
  Predictor made;
  if (known.type == ColumnType::category) {
    made.category = true;
    made.values = columns_.declare_codes(known);
  } else {
    made.values =
        scaled(known, columns_.declare(known, fmt::format("vector{}[N]", bounds_of(known))));
  }
  return made;
}

const ColumnSchema& FormulaPredictors::column_below(const std::string& name) const {
  const auto function = formula_.functions.find(name);
  return columns_.column(function == formula_.functions.end() ? name : function->second.column);
}

std::string FormulaPredictors::unscaled(const ColumnFunction& called) {
  return expression_of(called, raw_values(called));
}

// A column of numbers as it stands in the table.
std::string FormulaPredictors::raw_values(const ColumnFunction& called) {
  const ColumnSchema& known = columns_.column(called.column);
  const std::string written = called.function.empty()      ? "offset"
                              : called.function == "power" ? "I"
                                                           : called.function;
  if (known.type == ColumnType::category) {
    refuse_fact(
        known,
        fmt::format("{}({}) needs a number, but the column is a category.", written, called.column),
        "Change its type in the schema, or use the column itself.");
  }
  if (known.standardise) {
    refuse_fact(known,
                fmt::format("{}({}) needs the column as it stands in the table, but the schema "
                            "standardises it.",
                            written, called.column),
                "Remove 'standardise'; its mean and sd still serve for the prior.");
  }
  const bool from_zero = called.function == "sqrt";
  const bool positive = called.function.starts_with("log") && called.function != "log1p";
  const double floor = called.function == "log1p" ? -1.0 : 0.0;
  const bool allowed = known.lower && (from_zero ? *known.lower >= 0.0 : *known.lower > floor);
  const bool asked = facts_ == DeclaredFacts::complete;
  if (asked && (positive || from_zero || called.function == "log1p") && !allowed) {
    refuse_fact(
        known,
        fmt::format("{}({}) needs a declared lower bound {}, which reals are clamped to.", written,
                    called.column, from_zero ? "of at least 0" : fmt::format("above {:g}", floor)),
        fmt::format("Add lower = ... to [columns.{}].", called.column));
  }
  return columns_.declare(known, fmt::format("vector{}[N]", bounds_of(known)));
}

Predictor FormulaPredictors::function_predictor(const ColumnFunction& called) {
  if (called.function == "factor") return category_predictor(called);
  if (called.function == "scale") return scaled_predictor(called);
  const std::string name = raw_values(called);
  std::string made = called.function == "power" ? fmt::format("{}_power_{}", name, called.power)
                                                : fmt::format("{}_{}", called.function, name);
  for (const ColumnSchema& other : columns_.schema().columns) {
    if (stan_name(other.name) == made) made += "_computed";
  }
  const Range range = range_of(columns_.column(called.column));
  std::string expression = expression_of(called, name);
  std::string why;
  if (range.lower && range.upper) {
    double low = value_of(called, *range.lower), high = value_of(called, *range.upper);
    const bool even = called.function == "power" && called.power % 2 == 0;
    if (low > high) std::swap(low, high);
    if (even && *range.lower < 0.0 && *range.upper > 0.0) low = 0.0;
    const double scale = (high - low) / 4.0;
    if (std::isfinite(scale) && scale > 0.0) {
      expression =
          fmt::format("({} - {}) / {}", expression, rounded((low + high) / 2.0), rounded(scale));
      why = "  // middle and quarter of its declared range";
    }
  }
  if (why.empty()) {
    head_.notes += fmt::format(
        "// '{}' has no declared range: the prior of its coefficient is on its own scale.\n",
        in_comment(made));
  }
  head_.transformed += fmt::format("  vector[N] {} = {};{}\n", made, expression, why);
  return {.values = made, .word = made};
}

Predictor FormulaPredictors::category_predictor(const ColumnFunction& called) {
  const ColumnSchema& known = columns_.column(called.column);
  if (known.type != ColumnType::category) {
    refuse_fact(known,
                fmt::format("factor({}) needs declared levels: those in the data are private.",
                            called.column),
                fmt::format("Write type = \"category\" and levels = [...] in [columns.{}].",
                            called.column));
  }
  return predictor(called.column);
}

Predictor FormulaPredictors::scaled_predictor(const ColumnFunction& called) {
  const ColumnSchema& known = columns_.column(called.column);
  const bool asked = facts_ == DeclaredFacts::complete;
  if (asked && (known.type == ColumnType::category || !known.mean || !known.sd)) {
    refuse_fact(known,
                fmt::format("scale({}) needs a declared mean and sd: those of the data are "
                            "private.",
                            called.column),
                fmt::format("Add mean and sd to [columns.{}].", called.column));
  }
  return predictor(called.column);
}

std::string FormulaPredictors::scaled(const ColumnSchema& known, const std::string& name) {
  double centre = 0.0;
  double scale = 1.0;
  std::string why;
  const bool indicator =
      known.type == ColumnType::integer && known.lower == 0.0 && known.upper == 1.0;
  if (known.standardise || indicator) return name;
  if (known.mean && known.sd) {
    centre = *known.mean;
    scale = *known.sd;
    why = "declared mean and sd";
  } else if (known.lower && known.upper) {
    centre = (*known.lower + *known.upper) / 2.0;
    scale = (*known.upper - *known.lower) / 4.0;
    why = "middle and quarter of the declared range";
  }
  if (why.empty() || !(scale > 0.0)) {
    head_.notes += fmt::format(
        "// '{}' has no declared mean and sd: the prior of its coefficient is on its own "
        "scale.\n",
        in_comment(known.name));
    return name;
  }
  head_.transformed += fmt::format("  vector[N] {}_scaled = ({} - {}) / {};  // {}\n", name, name,
                                   rounded(centre), rounded(scale), why);
  return name + "_scaled";
}

}  // namespace dpvi
