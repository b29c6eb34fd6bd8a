#include <dpvi/fit/formula/regression_program.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/stan/syntax/reserved_words.hpp>
#include <dpvi/stan/types/function_table.hpp>

namespace dpvi {
namespace {

// Makes a text of the schema safe for a single-line comment.
std::string in_comment(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  }
  return text;
}

std::string rounded(double number) { return fmt::format("{:.6g}", number); }

// Returns a valid Stan variable name: letters, digits and '_', not a reserved word.
std::string stan_name(const std::string& column) {
  std::string name;
  for (const char c : column) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "x" + name;
  while (name.ends_with("_")) name.pop_back();
  const bool taken = is_reserved_word(name) || find_function(name) != nullptr || name == "N" ||
                     name == "eta" || name == "intercept" || name == "sigma" || name == "nu" ||
                     name == "phi" || name == "cut_points";
  return taken ? name + "_column" : name;
}

// A predictor as it appears in the linear predictor.
struct Predictor {
  std::string values = {};  // "age_scaled"
  std::int64_t levels = 0;  // of a category; 0 for a number
  std::string word = {};    // in the name of its coefficient
};

class ProgramWriter {
 public:
  ProgramWriter(const RegressionFormula& formula, std::string_view likelihood, const Schema& schema)
      : formula_(formula), likelihood_(likelihood), schema_(schema) {
    log_link_ = likelihood == "poisson" || likelihood == "neg_binomial_2";
    real_response_ = likelihood == "normal" || likelihood == "student_t";
  }

  RegressionProgram write() {
    check_likelihood();
    response();
    for (const ColumnFunction& offset : formula_.offsets) add_offset(offset);
    for (const auto& product : formula_.terms) add_term(product);
    if (formula_.all_columns) add_other_columns();
    for (const GroupEffects& effects : formula_.groups) add_group(effects);
    likelihood_statements();
    if (formula_.intercept && likelihood_ != "ordered") add_intercept();
    if (parameters_.empty()) {
      throw UsageError(kContradiction, "The formula leaves nothing to estimate.",
                       "Add a predictor or the intercept.");
    }
    std::map<std::string, std::string> renamed;
    for (const auto& [column, name] : names_) {
      if (column != name) renamed[name] = column;
    }
    return {text(), std::move(renamed)};
  }

 private:
  void check_likelihood() const {
    if (std::find(kLikelihoods.begin(), kLikelihoods.end(), likelihood_) == kLikelihoods.end()) {
      const std::vector<std::string> names(kLikelihoods.begin(), kLikelihoods.end());
      const auto near = nearest_name(likelihood_, names);
      throw UsageError(kValueOutsideRule,
                       fmt::format("--likelihood is '{}'; it must be one of {}.", likelihood_,
                                   fmt::join(names, ", ")),
                       near ? fmt::format("Did you mean '{}'?", *near) : "Choose one of them.");
    }
    if ((likelihood_ == "binomial") == !formula_.trials.empty()) return;
    throw UsageError(kContradiction,
                     "A binomial response needs a column of trials; other responses have none.",
                     "Write 'successes | trials(n) ~ ...' with --likelihood binomial.");
  }

  const ColumnSchema& column(const std::string& name) const {
    if (const ColumnSchema* found = schema_.find_column(name)) return *found;
    std::vector<std::string> names;
    for (const ColumnSchema& known : schema_.columns) names.push_back(known.name);
    const auto near = nearest_name(name, names);
    throw InputError(kUndeclaredPublicFact,
                     fmt::format("Column '{}' of the formula is not in the schema.", name),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("Add [columns.{}] with its type.", name),
                     {schema_.file, 0, 0});
  }

  // Number of levels of a column of codes 1..K; 0 for other columns.
  static std::int64_t level_count(const ColumnSchema& known) {
    return static_cast<std::int64_t>(known.levels.size());
  }

  // Declares the column once and returns its name in the program.
  std::string declare(const ColumnSchema& known, const std::string& type) {
    if (const auto found = names_.find(known.name); found != names_.end()) {
      if (types_[known.name] == type) return found->second;
      throw UsageError(kContradiction,
                       fmt::format("Column '{}' is used in two ways, as {} and as {}.", known.name,
                                   types_[known.name], type),
                       "Remove it from one of the two places.");
    }
    std::string name = stan_name(known.name);
    for (const auto& [other, taken] : names_) {
      if (taken == name) {
        throw InputError(kNotBindable,
                         fmt::format("Columns '{}' and '{}' would both be called '{}'.", other,
                                     known.name, name),
                         "Rename one in the table.", known.place);
      }
    }
    names_[known.name] = name;
    types_[known.name] = type;
    data_ += fmt::format("  {} {};\n", type, name);
    if (name != known.name) {
      notes_ += fmt::format("// Add to the schema, under [model]: {} = \"{}\"\n", name,
                            in_comment(known.name));
    }
    return name;
  }

  static std::string bounds(const ColumnSchema& known) {
    if (known.standardise || (!known.lower && !known.upper)) return "";
    std::vector<std::string> parts;
    if (known.lower) parts.push_back(fmt::format("lower={}", *known.lower));
    if (known.upper) parts.push_back(fmt::format("upper={}", *known.upper));
    return fmt::format("<{}>", fmt::join(parts, ", "));
  }

  // Numbers are scaled to about mean 0 and sd 1, so that one prior suits all.
  Predictor predictor(const std::string& name) {
    if (const auto found = predictors_.find(name); found != predictors_.end()) return found->second;
    const auto function = formula_.functions.find(name);
    Predictor made = function == formula_.functions.end() ? column_predictor(name)
                                                          : function_predictor(function->second);
    if (made.word.empty()) made.word = names_.at(name);
    predictors_[name] = made;
    return made;
  }

  Predictor column_predictor(const std::string& name) {
    const ColumnSchema& known = column(name);
    Predictor made;
    if (known.type == ColumnType::category) {
      made.levels = level_count(known);
      made.values = declare(known, fmt::format("array[N] int<lower=1, upper={}>", made.levels));
    } else {
      made.values = scaled(known, declare(known, fmt::format("vector{}[N]", bounds(known))));
    }
    return made;
  }

  // The lowest and the highest value that is declared or likely.
  struct Range {
    std::optional<double> lower, upper;
  };

  static Range range_of(const ColumnSchema& known) {
    Range range{known.lower, known.upper};
    if (known.mean && known.sd) {
      if (!range.lower) range.lower = *known.mean - 2.0 * *known.sd;
      if (!range.upper) range.upper = *known.mean + 2.0 * *known.sd;
    }
    return range;
  }

  [[noreturn]] static void refuse_fact(const ColumnSchema& known, const std::string& message,
                                       const std::string& hint) {
    throw InputError(kUndeclaredPublicFact, message, hint, known.place);
  }

  // A column of numbers as it stands in the table.
  std::string raw_values(const ColumnFunction& called) {
    const ColumnSchema& known = column(called.column);
    const std::string written = called.function.empty()      ? "offset"
                                : called.function == "power" ? "I"
                                                             : called.function;
    if (known.type == ColumnType::category) {
      refuse_fact(known,
                  fmt::format("{}({}) needs a number, but the column is a category.", written,
                              called.column),
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
    if ((positive || from_zero || called.function == "log1p") && !allowed) {
      refuse_fact(known,
                  fmt::format("{}({}) needs a declared lower bound {}, which reals are clamped to.",
                              written, called.column,
                              from_zero ? "of at least 0" : fmt::format("above {:g}", floor)),
                  fmt::format("Add lower = ... to [columns.{}].", called.column));
    }
    return declare(known, fmt::format("vector{}[N]", bounds(known)));
  }

  static double value_of(const ColumnFunction& called, double x) {
    if (called.function == "log") return std::log(x);
    if (called.function == "log2") return std::log2(x);
    if (called.function == "log10") return std::log10(x);
    if (called.function == "log1p") return std::log1p(x);
    if (called.function == "exp") return std::exp(x);
    if (called.function == "sqrt") return std::sqrt(x);
    return std::pow(x, called.power);
  }

  static std::string expression_of(const ColumnFunction& called, const std::string& name) {
    if (called.function.empty()) return name;
    if (called.function != "power") return fmt::format("{}({})", called.function, name);
    std::vector<std::string> factors(static_cast<std::size_t>(called.power), name);
    return fmt::format("{}", fmt::join(factors, " .* "));
  }

  Predictor function_predictor(const ColumnFunction& called) {
    if (called.function == "factor") return category_predictor(called);
    if (called.function == "scale") return scaled_predictor(called);
    const std::string name = raw_values(called);
    std::string made = called.function == "power" ? fmt::format("{}_power_{}", name, called.power)
                                                  : fmt::format("{}_{}", called.function, name);
    for (const ColumnSchema& other : schema_.columns) {
      if (stan_name(other.name) == made) made += "_computed";
    }
    const Range range = range_of(column(called.column));
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
      notes_ += fmt::format(
          "// '{}' has no declared range: the prior of its coefficient is on its own scale.\n",
          in_comment(made));
    }
    transformed_ += fmt::format("  vector[N] {} = {};{}\n", made, expression, why);
    return {.values = made, .word = made};
  }

  Predictor category_predictor(const ColumnFunction& called) {
    const ColumnSchema& known = column(called.column);
    if (known.type != ColumnType::category) {
      refuse_fact(known,
                  fmt::format("factor({}) needs declared levels: those in the data are private.",
                              called.column),
                  fmt::format("Write type = \"category\" and levels = [...] in [columns.{}].",
                              called.column));
    }
    return predictor(called.column);
  }

  Predictor scaled_predictor(const ColumnFunction& called) {
    const ColumnSchema& known = column(called.column);
    if (known.type == ColumnType::category || !known.mean || !known.sd) {
      refuse_fact(known,
                  fmt::format("scale({}) needs a declared mean and sd: those of the data are "
                              "private.",
                              called.column),
                  fmt::format("Add mean and sd to [columns.{}].", called.column));
    }
    return predictor(called.column);
  }

  void add_offset(const ColumnFunction& offset) {
    add_summand(expression_of(offset, raw_values(offset)));
  }

  // "." stands for the columns that are not used otherwise.
  void add_other_columns() {
    std::set<std::string, std::less<>> used{formula_.response, formula_.trials};
    if (schema_.unit) used.insert(schema_.unit->column);
    for (const auto& product : formula_.terms) used.insert(product.begin(), product.end());
    for (const auto& [name, function] : formula_.functions) used.insert(function.column);
    for (const ColumnFunction& offset : formula_.offsets) used.insert(offset.column);
    for (const GroupEffects& effects : formula_.groups) {
      used.insert(effects.group);
      used.insert(effects.combined.begin(), effects.combined.end());
      used.insert(effects.slopes.begin(), effects.slopes.end());
    }
    for (const ColumnSchema& known : schema_.columns) {
      if (!used.contains(known.name)) add_term({known.name});
    }
  }

  std::string scaled(const ColumnSchema& known, const std::string& name) {
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
      notes_ += fmt::format(
          "// '{}' has no declared mean and sd: the prior of its coefficient is on its own "
          "scale.\n",
          in_comment(known.name));
      return name;
    }
    transformed_ += fmt::format("  vector[N] {}_scaled = ({} - {}) / {};  // {}\n", name, name,
                                rounded(centre), rounded(scale), why);
    return name + "_scaled";
  }

  void response() {
    const ColumnSchema& known = column(formula_.response);
    const std::int64_t levels = level_count(known);
    if (real_response_) {
      if (known.type == ColumnType::category) refuse_response("a number");
      response_ = declare(known, fmt::format("vector{}[N]", bounds(known)));
      const bool facts = !known.standardise && known.mean && known.sd;
      centre_ = facts ? *known.mean : 0.0;
      scale_ = facts ? *known.sd : 1.0;
      return;
    }
    if (likelihood_ == "bernoulli" && levels > 0) {
      if (levels != 2) refuse_response("a category of 2 levels, or 0 and 1");
      const std::string code = declare(known, "array[N] int<lower=1, upper=2>");
      response_ = code + "_yes";
      transformed_ += fmt::format("  array[N] int<lower=0, upper=1> {};  // 1 for {}\n", response_,
                                  in_comment(known.levels[1]));
      transformed_ += fmt::format("  for (n in 1:N) {}[n] = {}[n] - 1;\n", response_, code);
      return;
    }
    if (likelihood_ == "ordered") return ordered_response(known, levels);
    if (levels > 0 || known.type == ColumnType::real) refuse_response("a whole number");
    std::string type = "array[N] int<lower=0>";
    if (likelihood_ == "bernoulli") type = "array[N] int<lower=0, upper=1>";
    response_ = declare(known, type);
    if (log_link_ && known.mean && *known.mean > 0.0) centre_ = std::log(*known.mean);
    if (likelihood_ == "binomial") trials_ = declare(column(formula_.trials), type);
  }

  void ordered_response(const ColumnSchema& known, std::int64_t levels) {
    const bool counted = levels == 0 && known.lower == 1.0 && known.upper && *known.upper >= 2.0;
    categories_ = counted ? static_cast<std::int64_t>(*known.upper) : levels;
    if (categories_ < 2) refuse_response("a category, or an int with lower = 1 and an upper bound");
    response_ = declare(known, fmt::format("array[N] int<lower=1, upper={}>", categories_));
  }

  [[noreturn]] void refuse_response(std::string_view wanted) const {
    throw InputError(kUndeclaredPublicFact,
                     fmt::format("The response '{}' of a {} likelihood must be {}.",
                                 formula_.response, likelihood_, wanted),
                     "Change its type in the schema, or the likelihood.",
                     column(formula_.response).place);
  }

  // Standard deviation of a coefficient's prior, in units of the linear predictor.
  double coefficient_scale() const { return (log_link_ ? 1.0 : 2.5) * scale_; }

  void add_parameter(const std::string& type, const std::string& name, const std::string& prior,
                     const std::string& comment = {}) {
    parameters_ += fmt::format("  {} {};{}\n", type, name,
                               comment.empty() ? "" : fmt::format("  // {}", comment));
    priors_ += fmt::format("  {} ~ {};\n", name, prior);
  }

  void add_term(const std::vector<std::string>& product) {
    std::vector<std::string> numbers;
    const ColumnSchema* category = nullptr;
    std::string codes;
    for (const std::string& name : product) {
      if (name == formula_.response) {
        throw UsageError(kContradiction, fmt::format("'{}' is on both sides of '~'.", name),
                         "Remove it on the right.");
      }
      const Predictor one = predictor(name);
      if (one.levels == 0) {
        numbers.push_back(one.values);
        continue;
      }
      if (category != nullptr) {
        throw UsageError(kValueOutsideRule,
                         fmt::format("'{}' and '{}' are both categories; their product is not "
                                     "supported.",
                                     category->name, name),
                         "Use a column with one level for each combination, as (1 | column).");
      }
      const auto function = formula_.functions.find(name);
      category = &column(function == formula_.functions.end() ? name : function->second.column);
      codes = one.values;
    }
    std::vector<std::string> words{"b"};
    for (const std::string& name : product) words.push_back(predictor(name).word);
    const std::string coefficient = fmt::format("{}", fmt::join(words, "_"));
    const std::string prior = fmt::format("normal(0, {})", rounded(coefficient_scale()));
    const std::string values = fmt::format("{}", fmt::join(numbers, " .* "));
    if (category == nullptr) {
      add_parameter("real", coefficient, prior);
      return add_summand(
          fmt::format("{} * {}", coefficient, numbers.size() > 1 ? "(" + values + ")" : values));
    }
    const std::vector<std::string> others(category->levels.begin() + 1, category->levels.end());
    if (others.empty()) return;
    add_parameter(
        fmt::format("vector[{}]", others.size()), coefficient, prior,
        in_comment(fmt::format("{}; against {}", fmt::join(others, ", "), category->levels[0])));
    add_summand(fmt::format("append_row(0, {})[{}]{}", coefficient, codes,
                            numbers.empty() ? "" : " .* " + values));
  }

  // The codes 1..K of a grouping column.
  struct GroupCodes {
    std::string name;
    std::int64_t levels = 0;
  };

  GroupCodes group_codes(const std::string& name) {
    const ColumnSchema& known = column(name);
    const bool counted = known.type == ColumnType::integer && known.lower == 1.0 && known.upper;
    const std::int64_t levels =
        counted ? static_cast<std::int64_t>(*known.upper) : level_count(known);
    if (levels < 1) {
      throw InputError(
          kUndeclaredPublicFact,
          fmt::format("Column '{}' defines groups, but its levels are not declared.", name),
          "Declare it as a category with levels, or as int with lower = 1 and upper.", known.place);
    }
    return {declare(known, fmt::format("array[N] int<lower=1, upper={}>", levels)), levels};
  }

  // One code for each combination of two columns.
  GroupCodes combined_codes(const std::string& outer_column, const std::string& inner_column) {
    const GroupCodes outer = group_codes(outer_column), inner = group_codes(inner_column);
    const GroupCodes made{outer.name + "_" + inner.name, outer.levels * inner.levels};
    transformed_ += fmt::format("  array[N] int<lower=1, upper={}> {};\n", made.levels, made.name);
    transformed_ += fmt::format("  for (n in 1:N) {}[n] = ({}[n] - 1) * {} + {}[n];\n", made.name,
                                outer.name, inner.levels, inner.name);
    return made;
  }

  void add_group(const GroupEffects& effects) {
    const auto [group, levels] = effects.combined.empty()
                                     ? group_codes(effects.group)
                                     : combined_codes(effects.combined[0], effects.combined[1]);
    std::vector<std::string> slopes;
    for (const std::string& name : effects.slopes) {
      const Predictor one = predictor(name);
      if (one.levels > 0) {
        throw UsageError(kValueOutsideRule,
                         fmt::format("'{}' is a category and cannot be a slope by group.", name),
                         "Use a column with one level for each combination, as (1 | column).");
      }
      slopes.push_back(one.values);
    }
    const std::size_t size = slopes.size() + (effects.intercept ? 1 : 0);
    const std::string spread = fmt::format("exponential({})", rounded(1.0 / scale_));
    if (size == 1) return one_effect(group, levels, slopes, spread);
    parameters_ += fmt::format("  matrix[{}, {}] z_{};\n", size, levels, group);
    priors_ += fmt::format("  to_vector(z_{}) ~ std_normal();\n", group);
    add_parameter(fmt::format("vector<lower=0>[{}]", size), "sd_" + group, spread);
    add_parameter(fmt::format("cholesky_factor_corr[{}]", size), "L_" + group,
                  "lkj_corr_cholesky(2)");
    effects_ +=
        fmt::format("  matrix[{1}, {2}] r_{0} = (diag_pre_multiply(sd_{0}, L_{0}) * z_{0})';\n",
                    group, levels, size);
    std::size_t at = 1;
    if (effects.intercept) add_summand(fmt::format("r_{0}[{0}, {1}]", group, at++));
    for (const std::string& slope : slopes) {
      add_summand(fmt::format("r_{0}[{0}, {1}] .* {2}", group, at++, slope));
    }
  }

  // With an intercept, effects sum to zero. Otherwise the intercept and the mean of the effects are
  // confounded, and noise would dominate that direction.
  void one_effect(const std::string& group, std::int64_t levels,
                  const std::vector<std::string>& slopes, const std::string& spread) {
    const bool beside_intercept = formula_.intercept || likelihood_ == "ordered";
    const bool sum_to_zero = slopes.empty() && beside_intercept && levels > 1;
    add_parameter(fmt::format("{}vector[{}]", sum_to_zero ? "sum_to_zero_" : "", levels),
                  "z_" + group, "std_normal()");
    add_parameter("real<lower=0>", "sd_" + group, spread);
    effects_ += fmt::format("  vector[{1}] r_{0} = sd_{0} * z_{0};\n", group, levels);
    add_summand(fmt::format("r_{0}[{0}]{1}", group, slopes.empty() ? "" : " .* " + slopes[0]));
  }

  void add_summand(const std::string& words) { summands_.push_back(words); }

  void add_intercept() {
    summands_.insert(summands_.begin(), "intercept");
    parameters_ = "  real intercept;\n" + parameters_;
    priors_ =
        fmt::format("  intercept ~ normal({}, {});\n", rounded(centre_), rounded(2.5 * scale_)) +
        priors_;
  }

  void likelihood_statements() {
    const std::string spread = fmt::format("exponential({})", rounded(1.0 / scale_));
    if (likelihood_ == "normal") {
      add_parameter("real<lower=0>", "sigma", spread);
      outcome_ = "normal(eta, sigma)";
    } else if (likelihood_ == "student_t") {
      add_parameter("real<lower=0>", "sigma", spread);
      add_parameter("real<lower=1>", "nu", "gamma(2, 0.1)");
      outcome_ = "student_t(nu, eta, sigma)";
    } else if (likelihood_ == "bernoulli") {
      outcome_ = "bernoulli_logit(eta)";
    } else if (likelihood_ == "binomial") {
      outcome_ = fmt::format("binomial_logit({}, eta)", trials_);
    } else if (likelihood_ == "poisson") {
      outcome_ = "poisson_log(eta)";
    } else if (likelihood_ == "neg_binomial_2") {
      add_parameter("real<lower=0>", "phi", "gamma(2, 0.1)");
      outcome_ = "neg_binomial_2_log(eta, phi)";
    } else {
      add_parameter(fmt::format("ordered[{}]", categories_ - 1), "cut_points", "normal(0, 3)");
      outcome_ = "ordered_logistic(eta, cut_points)";
    }
  }

  std::string text() const {
    std::string made = notes_;
    made += fmt::format("data {{\n  int<lower=0> N;\n{}}}\n", data_);
    if (!transformed_.empty()) made += fmt::format("transformed data {{\n{}}}\n", transformed_);
    made += fmt::format("parameters {{\n{}}}\n", parameters_);
    if (!effects_.empty()) made += fmt::format("transformed parameters {{\n{}}}\n", effects_);
    const std::string eta =
        summands_.empty() || summands_ == std::vector<std::string>{"intercept"}
            ? fmt::format("rep_vector({}, N)", summands_.empty() ? "0" : "intercept")
            : fmt::format("{}", fmt::join(summands_, "\n                  + "));
    made += fmt::format("model {{\n  vector[N] eta = {};\n\n{}  {} ~ {};\n}}\n", eta, priors_,
                        response_, outcome_);
    return made;
  }

  const RegressionFormula& formula_;
  std::string_view likelihood_;
  const Schema& schema_;
  bool log_link_ = false;
  bool real_response_ = false;
  double centre_ = 0.0;  // of the response, on the scale of the linear predictor
  double scale_ = 1.0;
  std::int64_t categories_ = 0;  // of an ordered response
  std::string response_, trials_, outcome_;
  std::map<std::string, std::string> names_;  // program names of columns
  std::map<std::string, std::string> types_;
  std::map<std::string, Predictor> predictors_;
  std::string notes_, data_, transformed_, parameters_, effects_, priors_;
  std::vector<std::string> summands_;
};

}  // namespace

std::string likelihood_named(std::string_view name, std::string_view link, bool has_trials) {
  struct Alias {
    std::string_view name, likelihood;
  };
  static constexpr Alias kAliases[] = {{"gaussian", "normal"},
                                       {"student", "student_t"},
                                       {"negbinomial", "neg_binomial_2"},
                                       {"cumulative", "ordered"}};
  std::string likelihood(name);
  for (const Alias& alias : kAliases) {
    if (name == alias.name) likelihood = alias.likelihood;
  }
  if (name == "binomial" && !link.empty() && !has_trials) likelihood = "bernoulli";
  const bool counts = likelihood == "poisson" || likelihood == "neg_binomial_2";
  const bool reals = likelihood == "normal" || likelihood == "student_t";
  const std::string_view usual = counts ? "log" : reals ? "identity" : "logit";
  if (link.empty() || link == usual) return likelihood;
  throw UsageError(
      kValueOutsideRule,
      fmt::format("The link is '{}'; a {} likelihood has the link '{}'.", link, likelihood, usual),
      "Use that link, or write the Stan program yourself: start from the one that "
      "'dpvi formula' prints.");
}

RegressionProgram write_regression(const RegressionFormula& formula, std::string_view likelihood,
                                   const Schema& schema) {
  return ProgramWriter(formula, likelihood, schema).write();
}

std::string commented_program(std::string formula, std::string_view likelihood,
                              const RegressionProgram& program) {
  return fmt::format("// {}, {}. Written by dpvi formula from public facts; change it freely.\n{}",
                     in_comment(std::move(formula)), likelihood, program.text);
}

}  // namespace dpvi
