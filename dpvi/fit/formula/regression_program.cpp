#include <dpvi/fit/formula/regression_program.hpp>

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/formula/formula_columns.hpp>
#include <dpvi/fit/formula/formula_predictors.hpp>
#include <dpvi/fit/formula/likelihood_name.hpp>

namespace dpvi {
namespace {

class ProgramWriter {
 public:
  ProgramWriter(const RegressionFormula& formula, std::string_view likelihood, const Schema& schema,
                DeclaredFacts facts)
      : formula_(formula),
        likelihood_(likelihood),
        columns_(schema, head_),
        predictors_(formula, columns_, head_, facts),
        pending_(facts == DeclaredFacts::pending) {
    log_link_ = likelihood == "poisson" || likelihood == "neg_binomial_2";
    // No column is called row_: their names do not end in '_'.
    for (const ColumnSchema& known : schema.columns) {
      if (stan_name(known.name) == row_) row_ = "row_";
    }
    real_response_ = likelihood == "normal" || likelihood == "student_t";
  }

  RegressionProgram write() {
    check_likelihood(likelihood_, !formula_.trials.empty());
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
    return {text(), columns_.renamed()};
  }

 private:
  void add_offset(const ColumnFunction& offset) { add_summand(predictors_.unscaled(offset)); }

  // "." stands for the columns that are not used otherwise.
  void add_other_columns() {
    std::set<std::string, std::less<>> used{formula_.response, formula_.trials};
    if (columns_.schema().unit) used.insert(columns_.schema().unit->column);
    for (const auto& product : formula_.terms) used.insert(product.begin(), product.end());
    for (const auto& [name, function] : formula_.functions) used.insert(function.column);
    for (const ColumnFunction& offset : formula_.offsets) used.insert(offset.column);
    for (const GroupEffects& effects : formula_.groups) {
      used.insert(effects.group);
      used.insert(effects.combined.begin(), effects.combined.end());
      used.insert(effects.slopes.begin(), effects.slopes.end());
    }
    for (const ColumnSchema& known : columns_.schema().columns) {
      if (!used.contains(known.name)) add_term({known.name});
    }
  }

  void response() {
    const ColumnSchema& known = columns_.column(formula_.response);
    const std::int64_t levels = level_count(known);
    if (real_response_) {
      if (known.type == ColumnType::category) refuse_response("a number");
      response_ = columns_.declare(known, fmt::format("vector{}[N]", bounds_of(known)));
      const bool facts = !known.standardise && known.mean && known.sd;
      centre_ = facts ? *known.mean : 0.0;
      scale_ = facts ? *known.sd : 1.0;
      return;
    }
    if (likelihood_ == "bernoulli" && levels > 0) {
      if (levels != 2) refuse_response("a category of 2 levels, or 0 and 1");
      const std::string code = columns_.declare(known, "array[N] int<lower=1, upper=2>");
      response_ = code + "_yes";
      meaning_ = "probability of " + in_comment(known.levels[1]);
      head_.transformed += fmt::format("  array[N] int<lower=0, upper=1> {};  // 1 for {}\n",
                                       response_, in_comment(known.levels[1]));
      head_.transformed +=
          fmt::format("  for ({0} in 1:N) {1}[{0}] = {2}[{0}] - 1;\n", row_, response_, code);
      return;
    }
    if (likelihood_ == "ordered") return ordered_response(known, levels);
    if (levels > 0 || known.type == ColumnType::real) refuse_response("a whole number");
    std::string type = "array[N] int<lower=0>";
    if (likelihood_ == "bernoulli") {
      type = "array[N] int<lower=0, upper=1>";
      meaning_ = "probability of 1";
    }
    response_ = columns_.declare(known, type);
    if (log_link_ && known.mean && *known.mean > 0.0) centre_ = std::log(*known.mean);
    if (likelihood_ == "binomial")
      trials_ = columns_.declare(columns_.column(formula_.trials), type);
  }

  void ordered_response(const ColumnSchema& known, std::int64_t levels) {
    const bool counted = levels == 0 && known.lower == 1.0 && known.upper && *known.upper >= 2.0;
    const std::int64_t number = counted ? static_cast<std::int64_t>(*known.upper) : levels;
    if (number < 2 && !pending_) {
      refuse_response("a category, or an int with lower = 1 and an upper bound");
    }
    if (number == 0) {
      cut_points_ = columns_.level_count_text(known) + " - 1";
      response_ = columns_.declare_codes(known);
      return;
    }
    cut_points_ = fmt::format("{}", number - 1);
    response_ = columns_.declare(known, fmt::format("array[N] int<lower=1, upper={}>", number));
  }

  [[noreturn]] void refuse_response(std::string_view wanted) const {
    throw InputError(kUndeclaredPublicFact,
                     fmt::format("The response '{}' of a {} likelihood must be {}.",
                                 formula_.response, likelihood_, wanted),
                     "Change its type in the schema, or the likelihood.",
                     columns_.column(formula_.response).place);
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
      const Predictor one = predictors_.predictor(name);
      if (!one.category) {
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
      category = &predictors_.column_below(name);
      codes = one.values;
    }
    std::vector<std::string> words{"b"};
    for (const std::string& name : product) words.push_back(predictors_.predictor(name).word);
    const std::string coefficient = fmt::format("{}", fmt::join(words, "_"));
    const std::string prior = fmt::format("normal(0, {})", rounded(coefficient_scale()));
    const std::string values = fmt::format("{}", fmt::join(numbers, " .* "));
    if (category == nullptr) {
      add_parameter("real", coefficient, prior);
      return add_summand(
          fmt::format("{} * {}", coefficient, numbers.size() > 1 ? "(" + values + ")" : values));
    }
    if (category->levels.size() == 1) return;
    if (category->levels.empty()) {
      add_parameter(fmt::format("vector[{} - 1]", columns_.level_count_text(*category)),
                    coefficient, prior, "against the first level");
    } else {
      const std::vector<std::string> others(category->levels.begin() + 1, category->levels.end());
      add_parameter(
          fmt::format("vector[{}]", others.size()), coefficient, prior,
          in_comment(fmt::format("{}; against {}", fmt::join(others, ", "), category->levels[0])));
    }
    add_summand(fmt::format("append_row(0, {})[{}]{}", coefficient, codes,
                            numbers.empty() ? "" : " .* " + values));
  }

  // The codes 1..K of a grouping column.
  struct GroupCodes {
    std::string name;
    std::string levels;  // their number
    bool single = false;
  };

  GroupCodes group_codes(const std::string& name) {
    const ColumnSchema& known = columns_.column(name);
    const bool counted = known.type == ColumnType::integer && known.lower == 1.0 && known.upper;
    const std::int64_t levels =
        counted ? static_cast<std::int64_t>(*known.upper) : level_count(known);
    const bool open = pending_ && known.type == ColumnType::category;
    if (levels < 1 && !open) {
      throw InputError(
          kUndeclaredPublicFact,
          fmt::format("Column '{}' defines groups, but its levels are not declared.", name),
          "Declare it as a category with levels, or as int with lower = 1 and upper.", known.place);
    }
    const std::string number =
        levels > 0 ? fmt::format("{}", levels) : columns_.level_count_text(known);
    return {columns_.declare(known, fmt::format("array[N] int<lower=1, upper={}>", number)), number,
            levels == 1};
  }

  // One code for each combination of two columns.
  GroupCodes combined_codes(const std::string& outer_column, const std::string& inner_column) {
    const GroupCodes outer = group_codes(outer_column), inner = group_codes(inner_column);
    GroupCodes made{outer.name + "_" + inner.name,
                    pending_
                        ? fmt::format("{} * {}", outer.levels, inner.levels)
                        : fmt::format("{}", std::stoll(outer.levels) * std::stoll(inner.levels)),
                    outer.single && inner.single};
    head_.transformed +=
        fmt::format("  array[N] int<lower=1, upper={}> {};\n", made.levels, made.name);
    head_.transformed +=
        fmt::format("  for ({0} in 1:N) {1}[{0}] = ({2}[{0}] - 1) * {3} + {4}[{0}];\n", row_,
                    made.name, outer.name, inner.levels, inner.name);
    return made;
  }

  void add_group(const GroupEffects& effects) {
    const GroupCodes codes = effects.combined.empty()
                                 ? group_codes(effects.group)
                                 : combined_codes(effects.combined[0], effects.combined[1]);
    const std::string &group = codes.name, &levels = codes.levels;
    std::vector<std::string> slopes;
    for (const std::string& name : effects.slopes) {
      const Predictor one = predictors_.predictor(name);
      if (one.category) {
        throw UsageError(kValueOutsideRule,
                         fmt::format("'{}' is a category and cannot be a slope by group.", name),
                         "Use a column with one level for each combination, as (1 | column).");
      }
      slopes.push_back(one.values);
    }
    const std::size_t size = slopes.size() + (effects.intercept ? 1 : 0);
    const std::string spread = fmt::format("exponential({})", rounded(1.0 / scale_));
    if (size == 1) return one_effect(codes, slopes, spread);
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
  void one_effect(const GroupCodes& codes, const std::vector<std::string>& slopes,
                  const std::string& spread) {
    const std::string &group = codes.name, &levels = codes.levels;
    const bool beside_intercept = formula_.intercept || likelihood_ == "ordered";
    const bool sum_to_zero = slopes.empty() && beside_intercept && !codes.single;
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
    const std::string eta = fmt::format("eta[{}]", row_);
    const std::string spread = fmt::format("exponential({})", rounded(1.0 / scale_));
    if (likelihood_ == "normal") {
      add_parameter("real<lower=0>", "sigma", spread);
      outcome_ = "normal(eta, sigma)";
      mean_ = eta;
      draw_ = fmt::format("normal_rng({}, sigma)", eta);
    } else if (likelihood_ == "student_t") {
      add_parameter("real<lower=0>", "sigma", spread);
      add_parameter("real<lower=1>", "nu", "gamma(2, 0.1)");
      outcome_ = "student_t(nu, eta, sigma)";
      mean_ = eta;
      draw_ = fmt::format("student_t_rng(nu, {}, sigma)", eta);
    } else if (likelihood_ == "bernoulli") {
      outcome_ = "bernoulli_logit(eta)";
      mean_ = fmt::format("inv_logit({})", eta);
      const bool codes = response_ != columns_.name_of(formula_.response);
      draw_ = fmt::format("{}bernoulli_logit_rng({})", codes ? "1 + " : "", eta);
    } else if (likelihood_ == "binomial") {
      outcome_ = fmt::format("binomial_logit({}, eta)", trials_);
      mean_ = fmt::format("{}[{}] * inv_logit({})", trials_, row_, eta);
      draw_ = fmt::format("binomial_rng({}[{}], inv_logit({}))", trials_, row_, eta);
    } else if (likelihood_ == "poisson") {
      outcome_ = "poisson_log(eta)";
      mean_ = fmt::format("exp({})", eta);
      draw_ = fmt::format("poisson_log_rng({})", eta);
    } else if (likelihood_ == "neg_binomial_2") {
      add_parameter("real<lower=0>", "phi", "gamma(2, 0.1)");
      outcome_ = "neg_binomial_2_log(eta, phi)";
      mean_ = fmt::format("exp({})", eta);
      draw_ = fmt::format("neg_binomial_2_log_rng({}, phi)", eta);
    } else {
      add_parameter(fmt::format("ordered[{}]", cut_points_), "cut_points", "normal(0, 3)");
      outcome_ = "ordered_logistic(eta, cut_points)";
      draw_ = fmt::format("ordered_logistic_rng({}, cut_points)", eta);
    }
  }

  std::string text() const {
    std::string made = head_.notes;
    made += fmt::format("data {{\n  int<lower=0> N;\n{}}}\n", head_.data);
    if (!head_.transformed.empty()) {
      made += fmt::format("transformed data {{\n{}}}\n", head_.transformed);
    }
    made += fmt::format("parameters {{\n{}}}\n", parameters_);
    if (!effects_.empty()) made += fmt::format("transformed parameters {{\n{}}}\n", effects_);
    made += fmt::format("model {{\n  vector[N] eta = {};\n\n{}  {} ~ {};\n}}\n",
                        linear_predictor("                  "), priors_, response_, outcome_);
    made += generated(made);
    return made;
  }

  // Later summands stand on lines of their own, behind this margin.
  std::string linear_predictor(const std::string& margin) const {
    if (summands_.empty()) return "rep_vector(0, N)";
    if (summands_ == std::vector<std::string>{"intercept"}) return "rep_vector(intercept, N)";
    return fmt::format("{}", fmt::join(summands_, "\n" + margin + "+ "));
  }

  // The mean and a replicate of the response for each row, from the other columns alone.
  std::string generated(const std::string& before) const {
    const std::string replicate = replicate_name(before);
    std::string declared, statements;
    if (!mean_.empty()) {
      declared = fmt::format("  vector[N] {};  // {}\n", kExpected, meaning_);
      statements = fmt::format("      {}[{}] = {};\n", kExpected, row_, mean_);
    }
    declared += fmt::format("  {} {};  // another response with the same predictors\n",
                            real_response_ ? "vector[N]" : "array[N] int", replicate);
    statements += fmt::format("      {}[{}] = {};\n", replicate, row_, draw_);
    return fmt::format(
        "generated quantities {{\n{}  {{\n    vector[N] eta = {};\n    for ({} in 1:N) {{\n{}    "
        "}}\n  }}\n}}\n",
        declared, linear_predictor("                    "), row_, statements);
  }

  // Named after the response, so that other commands find it; not a word of the program before.
  std::string replicate_name(const std::string& before) const {
    const std::string& response = columns_.name_of(formula_.response);
    for (const char* ending : {"_rep", "_sim", "_tilde", "_pred", "_new"}) {
      std::string name = response + ending;
      if (before.find(name) == std::string::npos) return name;
    }
    throw InputError(kNotBindable,
                     fmt::format("Columns are called like every name of a replicate of '{}', such "
                                 "as '{}_rep'.",
                                 response, response),
                     "Rename one in the table.", columns_.column(formula_.response).place);
  }

  const RegressionFormula& formula_;
  std::string_view likelihood_;
  ProgramHead head_;
  FormulaColumns columns_;
  FormulaPredictors predictors_;
  bool pending_;
  bool log_link_ = false;
  bool real_response_ = false;
  double centre_ = 0.0;  // of the response, on the scale of the linear predictor
  double scale_ = 1.0;
  std::string cut_points_;  // their number, for an ordered response
  std::string row_ = "n";   // the index of loops over records
  std::string response_, trials_, outcome_;
  std::string mean_, draw_;  // of the response of row n; ordered levels have no mean
  std::string meaning_ = "mean of the response";
  std::string parameters_, effects_, priors_;
  std::vector<std::string> summands_;
};

}  // namespace

RegressionProgram write_regression(const RegressionFormula& formula, std::string_view likelihood,
                                   const Schema& schema, DeclaredFacts facts) {
  return ProgramWriter(formula, likelihood, schema, facts).write();
}

std::string commented_program(std::string formula, std::string_view likelihood,
                              const RegressionProgram& program) {
  return fmt::format("// {}, {}. Written by dpvi formula from public facts; change it freely.\n{}",
                     in_comment(std::move(formula)), likelihood, program.text);
}

}  // namespace dpvi
