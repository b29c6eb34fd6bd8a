#include <dpvi/model/regression_formula.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Product = std::vector<std::string>;

constexpr std::array<std::string_view, 6> kRowFunctions = {"log",   "log2", "log10",
                                                           "log1p", "exp",  "sqrt"};
// Functions of R whose values for a row depend on all rows.
constexpr std::array<std::string_view, 12> kTableFunctions = {
    "poly", "s", "te", "ti", "t2", "bs", "ns", "cut", "ntile", "rank", "lag", "gp"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  RegressionFormula parse() {
    made_.response = name("the response");
    if (take('(')) refuse_response();
    if (take('|')) trials();
    expect('~', "between the response and its predictors");
    bool minus = take('-');
    do {
      term(minus);
      minus = false;
      if (take('+')) continue;
      if (!take('-')) break;
      minus = true;
    } while (true);
    if (!at_end()) fail("'+' or the end of the formula");
    return std::move(made_);
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }

  bool take(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::string_view expected) {
    skip_spaces();
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", std::string(1, text_[at_]))
                                                 : std::string("the end");
    throw UsageError(kValueOutsideRule,
                     fmt::format("Formula '{}': expected {} at place {}, found {}.", text_,
                                 expected, at_ + 1, found),
                     "A formula looks like 'y ~ a + b + a:b + (1 | group)'.");
  }

  // Refuses what R offers and this language does not, with the way out.
  [[noreturn]] void refuse(const std::string& what, const std::string& way_out) {
    throw UsageError(kValueOutsideRule, fmt::format("Formula '{}': {}", text_, what), way_out);
  }

  [[noreturn]] void refuse_response() {
    if (made_.response == "cbind") {
      refuse("the response is cbind(...).",
             "Write 'successes | trials(n) ~ ...', with a column n of trials.");
    }
    refuse(fmt::format("the response is {}(...).", made_.response),
           "Put the transformed response into a column of the table, and declare its facts.");
  }

  void expect(char wanted, std::string_view where) {
    if (!take(wanted)) fail(fmt::format("'{}' {}", wanted, where));
  }

  std::string name(std::string_view what) {
    skip_spaces();
    if (take('`')) {
      const std::size_t end = text_.find('`', at_);
      if (end == std::string_view::npos || end == at_) fail("a column's name and another '`'");
      std::string found(text_.substr(at_, end - at_));
      at_ = end + 1;
      return found;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const bool digit = end > at_ && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    if (end == at_ || digit) fail(what);
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }

  void trials() {
    const std::size_t start = at_;
    if (name("'trials(...)'") != "trials") {
      at_ = start;
      fail("'trials(...)'");
    }
    expect('(', "after 'trials'");
    made_.trials = name("the column that counts the trials");
    expect(')', "after the column of trials");
  }

  // Consumes 0 (no intercept) or 1 (intercept); `minus` inverts the meaning. Returns false if
  // neither comes next.
  bool take_intercept(bool& intercept, bool minus) {
    if (at_end() || (text_[at_] != '0' && text_[at_] != '1')) return false;
    if (at_ + 1 < text_.size() && is_word(text_[at_ + 1])) return false;
    intercept = (text_[at_] == '1') != minus;
    ++at_;
    return true;
  }

  void term(bool minus) {
    if (take_intercept(made_.intercept, minus)) return;
    if (minus) fail("1 after '-'; only the intercept can be taken out");
    if (take('(')) return group();
    if (take_offset()) return;
    Product product{factor("a column, 0, 1 or '('")};
    if (product.front() == ".") {
      made_.all_columns = true;
      return;
    }
    bool crossed = false;
    while (true) {
      const bool star = take('*');
      if (!star && !take(':')) break;
      crossed = crossed || star;
      product.push_back(factor("a column"));
    }
    if (take('^'))
      refuse("'^' stands outside I().", "Write I(x^2) for a square, a * b for (a + b)^2.");
    if (take('/')) refuse("'/' stands outside a group.", "Write a + a:b for a/b.");
    if (crossed) {
      add_all_products(product);
    } else {
      add(product);
    }
  }

  // A column, or a function of one, by the name that stands for it in products.
  std::string factor(std::string_view what) {
    const std::string word = name(what);
    if (!take('(')) return word;
    ColumnFunction called = call_of(word);
    std::string made = called.function == "power"
                           ? fmt::format("I({}^{})", called.column, called.power)
                           : fmt::format("{}({})", called.function, called.column);
    if (called.function == "power" && called.power == 1) return called.column;
    made_.functions.insert_or_assign(made, std::move(called));
    return made;
  }

  // The rest of a call after its '('.
  ColumnFunction call_of(const std::string& word) {
    if (is_one_of(kTableFunctions, word)) {
      refuse(fmt::format("the values of {}() for one row depend on all rows.", word),
             "Write x + I(x^2) for a curve, declare a category for cut(), or write the basis with "
             "public knots in a Stan program.");
    }
    ColumnFunction called;
    if (word == "I") {
      called = {.function = "power", .column = name("a column")};
      if (take('^')) called.power = exponent();
    } else if (word == "factor" || word == "as.factor") {
      called = {.function = "factor", .column = name("a column")};
    } else if (word == "scale" || is_one_of(kRowFunctions, word)) {
      called = {.function = word, .column = name("a column")};
    } else {
      refuse(fmt::format("{}() is not a function of formulas.", word),
             fmt::format("Available: {}, scale, factor, offset, I(x^2). Compute others in the "
                         "table, or write a Stan program.",
                         fmt::join(kRowFunctions, ", ")));
    }
    if (!take(')')) {
      refuse(fmt::format("{}() must hold one column{}.", word,
                         word == "I" ? ", or a power of one" : ""),
             "Compute other expressions in the table, or write a Stan program.");
    }
    return called;
  }

  int exponent() {
    constexpr int kMaxPower = 6;
    skip_spaces();
    const int digit = at_ < text_.size() ? text_[at_] - '0' : 0;
    const bool more = at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
    if (digit < 1 || digit > kMaxPower || more) {
      refuse("the power in I() is not a whole number from 1 to 6.",
             "Compute other powers in the table, or use sqrt(x).");
    }
    ++at_;
    return digit;
  }

  bool take_offset() {
    const std::size_t start = at_;
    skip_spaces();
    constexpr std::string_view kWord = "offset";
    const bool is_word_offset = text_.substr(at_).starts_with(kWord);
    if (is_word_offset) at_ += kWord.size();
    if (!is_word_offset || !take('(')) {
      at_ = start;
      return false;
    }
    const std::string word = name("a column or log(column)");
    if (take('(')) {
      ColumnFunction called = call_of(word);
      if (!is_one_of(kRowFunctions, called.function)) {
        refuse(fmt::format("offset() cannot hold {}().", word),
               "Write offset(log(x)) or offset(x).");
      }
      made_.offsets.push_back(std::move(called));
    } else {
      made_.offsets.push_back({.function = "", .column = word});
    }
    expect(')', "after the offset");
    return true;
  }

  void add(Product product) {
    std::sort(product.begin(), product.end());
    product.erase(std::unique(product.begin(), product.end()), product.end());
    if (product.size() > kMaxFactors) fail(fmt::format("at most {} factors", kMaxFactors));
    if (std::find(made_.terms.begin(), made_.terms.end(), product) == made_.terms.end()) {
      made_.terms.push_back(std::move(product));
    }
  }

  // Adds short products first, so that main effects precede interactions.
  void add_all_products(const Product& factors) {
    if (factors.size() > kMaxFactors) fail(fmt::format("at most {} factors", kMaxFactors));
    const std::size_t subsets = std::size_t{1} << factors.size();
    for (std::size_t size = 1; size <= factors.size(); ++size) {
      for (std::size_t subset = 1; subset < subsets; ++subset) {
        Product product;
        for (std::size_t i = 0; i < factors.size(); ++i) {
          if ((subset >> i & 1U) != 0) product.push_back(factors[i]);
        }
        if (product.size() == size) add(std::move(product));
      }
    }
  }

  void group() {
    GroupEffects effects;
    do {
      if (take_intercept(effects.intercept, false)) continue;
      effects.slopes.push_back(factor("1, 0 or a column"));
    } while (take('+'));
    if (take(')')) {
      refuse("parentheses are only for groups, as (1 | g).", "Write a * b for (a + b)^2.");
    }
    expect('|', "before the grouping column");
    if (take('|')) {
      refuse("'||' asks for effects without correlation.",
             "Write (1 + a | g); or a Stan program with independent effects.");
    }
    group_columns(effects);
    expect(')', "after the grouping column");
    if (!effects.intercept && effects.slopes.empty()) fail("an effect that differs by group");
    add_group(std::move(effects));
  }

  // g, a:b, or a/b, which stands for a and a:b. A product of columns has one level for each
  // combination of theirs.
  void group_columns(GroupEffects& effects) {
    effects.group = name("the grouping column");
    const bool nested = take('/');
    if (!nested && !take(':')) return;
    const std::string inner = name("the inner grouping column");
    if (nested) add_group(effects);
    effects.combined = {effects.group, inner};
    effects.group += ":" + inner;
  }

  void add_group(GroupEffects effects) {
    const auto same = [&](const GroupEffects& other) { return other.group == effects.group; };
    if (std::any_of(made_.groups.begin(), made_.groups.end(), same)) {
      fail(fmt::format("one '(... | {0})' for the effects of '{0}'", effects.group));
    }
    made_.groups.push_back(std::move(effects));
  }

  static constexpr std::size_t kMaxFactors = 4;
  std::string_view text_;
  std::size_t at_ = 0;
  RegressionFormula made_;
};

}  // namespace

RegressionFormula parse_regression_formula(std::string_view text) {
  return FormulaParser(text).parse();
}

}  // namespace dpvi
