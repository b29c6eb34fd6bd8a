#include <dpvi/fit/formula/formula_draft.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/draft_text.hpp>
#include <dpvi/data/id_columns.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <dpvi/fit/formula/likelihood_name.hpp>
#include <dpvi/fit/formula/regression_program.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {
namespace {

// What a formula alone says of a column.
struct ColumnNeeds {
  bool outcome = false;
  bool trials = false;
  bool category = false;
  bool number = false;          // inside a function or an offset
  std::string lower_rule = {};  // "above 0": needed by log()
  bool mean_and_sd = false;     // needed by scale()
};

// A name as a formula writes it.
std::string formula_word(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  const bool plain = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                     std::ranges::all_of(name, is_word);
  return plain ? name : "`" + name + "`";
}

bool may_be_predictor(const std::string& name, const FormulaStart& start) {
  const bool unit = start.declared.unit && start.declared.unit->column == name;
  return !unit && !name.empty() && id_name(name) == IdName::none && !is_free_text_name(name) &&
         name.find('`') == std::string::npos;
}

class FormulaDrafter {
 public:
  explicit FormulaDrafter(const FormulaStart& start)
      : start_(start), formula_(parse_regression_formula(start.formula)) {
    collect();
    likelihood_ = start.likelihood;
    if (likelihood_.empty()) likelihood_ = formula_.trials.empty() ? "normal" : "binomial";
    likelihood_ = likelihood_named(likelihood_, "", !formula_.trials.empty());
  }

  FormulaDraft draft() {
    const RegressionProgram program =
        write_regression(formula_, likelihood_, pending_schema(), DeclaredFacts::pending);
    FormulaDraft made;
    made.program = commented_program(start_.formula, likelihood_, program);
    made.asks_for_unit = add_table();
    for (const std::string& name : names_) add_column(name, needs_.at(name));
    add_model(program);
    made.schema = std::move(text_.toml);
    made.missing = std::move(text_.missing);
    return made;
  }

 private:
  ColumnNeeds& needs(const std::string& name) {
    const auto [found, added] = needs_.try_emplace(name);
    if (added) {
      BindingRequest request;
      request.header = start_.header;
      request.table_file = start_.table;
      require_column(request, name, {});
      names_.push_back(name);
    }
    return found->second;
  }

  void collect() {
    needs(formula_.response).outcome = true;
    if (!formula_.trials.empty()) needs(formula_.trials).trials = true;
    for (const auto& product : formula_.terms) {
      for (const std::string& factor : product) collect_factor(factor);
    }
    for (const GroupEffects& effects : formula_.groups) {
      if (effects.combined.empty()) needs(effects.group).category = true;
      for (const std::string& name : effects.combined) needs(name).category = true;
      for (const std::string& slope : effects.slopes) collect_factor(slope);
    }
    for (const ColumnFunction& offset : formula_.offsets) collect_function(offset);
    if (formula_.all_columns) {
      for (const std::string& name : start_.header) {
        if (may_be_predictor(name, start_)) needs(name);
      }
    }
  }

  void collect_factor(const std::string& factor) {
    const auto function = formula_.functions.find(factor);
    if (function == formula_.functions.end()) {
      needs(factor);
    } else {
      collect_function(function->second);
    }
  }

  void collect_function(const ColumnFunction& called) {
    ColumnNeeds& column = needs(called.column);
    column.category = column.category || called.function == "factor";
    column.number = column.number || called.function != "factor";
    column.mean_and_sd = column.mean_and_sd || called.function == "scale";
    if (called.function == "sqrt") column.lower_rule = "at least 0";
    if (called.function == "log1p") column.lower_rule = "above -1";
    if (called.function.starts_with("log") && called.function != "log1p") {
      column.lower_rule = "above 0";
    }
  }

  bool whole_outcome() const {
    return likelihood_ == "poisson" || likelihood_ == "neg_binomial_2" || likelihood_ == "binomial";
  }

  // The columns as the formula alone describes them; levels and numbers are still unknown.
  Schema pending_schema() const {
    Schema schema = start_.declared;
    for (const auto& [name, column] : needs_) {
      ColumnSchema known;
      known.name = name;
      if (column.category || (column.outcome && likelihood_ == "ordered")) {
        known.type = ColumnType::category;
      } else if (column.trials || (column.outcome && whole_outcome())) {
        known.type = ColumnType::integer;
      }
      schema.columns.push_back(std::move(known));
    }
    return schema;
  }

  // Returns true if the unit is left to decide.
  bool add_table() {
    text_.add_opening(true);
    TableFacts facts{.schema = start_.declared};
    const auto id = undecided_id_column(start_.header, start_.declared);
    // Whoever names the response declares that the first line holds names.
    if (id) facts.id = IdColumn{*id + 1, start_.header[*id]};
    text_.add_table(facts);
    return id.has_value();
  }

  void add_column(const std::string& name, const ColumnNeeds& column) {
    section_ = "columns." + name;
    text_.line(fmt::format("\n[columns.{}]", toml_key(name)));
    if (column.outcome) {
      add_outcome();
    } else if (column.trials) {
      text_.entry("type = \"int\"", "number of trials");
      text_.entry("lower = 0", "rows with a number outside contribute nothing");
    } else if (column.category) {
      add_levels("of a group or category: all of them, in quotes (or levels_file)");
    } else if (column.number) {
      text_.entry("type = \"real\"", "the formula takes a function of it");
      add_number(column);
    } else {
      add_undecided();
    }
    text_.entry("# if_missing = \"drop\"",
                "or a value or level; a dropped row contributes nothing");
  }

  void add_levels(const std::string& meaning) {
    text_.to_fill_in(section_, "levels", "[\"...\", \"...\"]", meaning);
  }

  void add_number(const ColumnNeeds& column) {
    if (column.lower_rule.empty()) {
      text_.entry("# lower = ...", "reals outside are clamped");
    } else {
      text_.to_fill_in(section_, "lower", "...",
                       column.lower_rule + ", which the formula needs; reals below are clamped");
    }
    text_.entry("# upper = ...", "likewise");
    add_scale(column.mean_and_sd);
  }

  void add_scale(bool needed) {
    if (needed) {
      text_.to_fill_in(section_, "mean", "...", "scale() uses it");
      text_.to_fill_in(section_, "sd", "...", "scale() uses it");
      return;
    }
    text_.entry("# mean = ...", "with sd: scales the column; for better priors and forecasts");
    text_.entry("# sd = ...", "likewise");
  }

  void add_undecided() {
    text_.to_fill_in(section_, "type", "\"real\"",
                     "real, int or date; or write levels = [\"...\", \"...\"] instead");
    add_number({});
  }

  void add_outcome() {
    if (start_.likelihood.empty() && formula_.trials.empty()) {
      text_.to_fill_in(section_, "type", "\"real\"",
                       "real for a measurement; int with the lines below for 0 and 1 or counts");
      text_.entry("# lower = 0", "of an int; with upper = 1 for 0 and 1, without for counts");
      text_.entry("# upper = 1", "or write levels = [\"no\", \"yes\"] instead of type");
      return add_scale(false);
    }
    if (likelihood_ == "ordered") return add_levels("in their order, in quotes");
    if (likelihood_ == "bernoulli") {
      text_.entry("type = \"int\"", "0 and 1; for texts write levels = [\"no\", \"yes\"] instead");
      text_.entry("lower = 0", "of 0 and 1");
      text_.entry("upper = 1", "of 0 and 1");
    } else if (whole_outcome()) {
      text_.entry("type = \"int\"", "a count");
      text_.entry("lower = 0", "rows with a number outside contribute nothing");
      text_.entry("# mean = ...", "for a better prior and forecast");
    } else {
      text_.entry("type = \"real\"", "a measurement");
      add_number({});
    }
  }

  // Variables whose names differ from those of their columns.
  void add_model(const RegressionProgram& program) {
    if (program.renamed.empty()) return;
    text_.line("\n[model]");
    for (const auto& [variable, column] : program.renamed) {
      text_.entry(fmt::format("{} = {}", variable, toml_text(column)),
                  "Stan has no such names of variables");
    }
  }

  const FormulaStart& start_;
  RegressionFormula formula_;
  std::string likelihood_;
  std::map<std::string, ColumnNeeds> needs_;
  std::vector<std::string> names_;  // in the order of the formula
  DraftText text_;
  std::string section_;
};

}  // namespace

FormulaDraft draft_formula_start(const FormulaStart& start) {
  return FormulaDrafter(start).draft();
}

std::string proposed_formula(const std::string& outcome, const FormulaStart& start,
                             std::vector<std::string>& left_out) {
  std::vector<std::string> predictors;
  for (const std::string& name : start.header) {
    if (name == outcome) continue;
    if (may_be_predictor(name, start)) {
      predictors.push_back(formula_word(name));
    } else {
      left_out.push_back(name);
    }
  }
  return fmt::format("{} ~ {}", formula_word(outcome),
                     predictors.empty() ? "1" : fmt::format("{}", fmt::join(predictors, " + ")));
}

}  // namespace dpvi
