#include <dpvi/model/regression_formula.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Product = std::vector<std::string>;

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  RegressionFormula parse() {
    made_.response = name("the response");
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
    Product product{name("a column, 0, 1 or '('")};
    bool crossed = false;
    while (true) {
      const bool star = take('*');
      if (!star && !take(':')) break;
      crossed = crossed || star;
      product.push_back(name("a column"));
    }
    if (crossed) {
      add_all_products(product);
    } else {
      add(product);
    }
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
      effects.slopes.push_back(name("1, 0 or a column"));
    } while (take('+'));
    expect('|', "before the grouping column");
    effects.group = name("the grouping column");
    expect(')', "after the grouping column");
    const auto same = [&](const GroupEffects& other) { return other.group == effects.group; };
    if (std::any_of(made_.groups.begin(), made_.groups.end(), same)) {
      fail(fmt::format("one '(... | {0})' for the effects of '{0}'", effects.group));
    }
    if (!effects.intercept && effects.slopes.empty()) fail("an effect that differs by group");
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
