#include <dpvi/stan/syntax/declaration_parser.hpp>

#include <array>

#include <fmt/format.h>

#include <dpvi/stan/syntax/reserved_words.hpp>
#include <dpvi/stan/syntax/suggestion.hpp>

namespace dpvi {
namespace {

struct TypeWord {
  std::string_view name;
  StanBase base;
  SpecialType special;
};

constexpr std::array<TypeWord, 18> kTypeWords = {{
    {"int", StanBase::integer, SpecialType::none},
    {"real", StanBase::real, SpecialType::none},
    {"complex", StanBase::complex, SpecialType::none},
    {"vector", StanBase::vector, SpecialType::none},
    {"row_vector", StanBase::row_vector, SpecialType::none},
    {"ordered", StanBase::vector, SpecialType::ordered},
    {"positive_ordered", StanBase::vector, SpecialType::positive_ordered},
    {"simplex", StanBase::vector, SpecialType::simplex},
    {"unit_vector", StanBase::vector, SpecialType::unit_vector},
    {"sum_to_zero_vector", StanBase::vector, SpecialType::sum_to_zero_vector},
    {"matrix", StanBase::matrix, SpecialType::none},
    {"cholesky_factor_corr", StanBase::matrix, SpecialType::cholesky_factor_corr},
    {"cholesky_factor_cov", StanBase::matrix, SpecialType::cholesky_factor_cov},
    {"corr_matrix", StanBase::matrix, SpecialType::corr_matrix},
    {"cov_matrix", StanBase::matrix, SpecialType::cov_matrix},
    {"sum_to_zero_matrix", StanBase::matrix, SpecialType::sum_to_zero_matrix},
    {"column_stochastic_matrix", StanBase::matrix, SpecialType::column_stochastic_matrix},
    {"row_stochastic_matrix", StanBase::matrix, SpecialType::row_stochastic_matrix},
}};

const TypeWord* type_word(const Token& token) {
  if (token.kind != TokenKind::identifier) return nullptr;
  for (const TypeWord& word : kTypeWords) {
    if (word.name == token.text) return &word;
  }
  return nullptr;
}

bool names_unsupported_type(const Token& token) {
  return token.is_word("complex_vector") || token.is_word("complex_row_vector") ||
         token.is_word("complex_matrix");
}

}  // namespace

void DeclarationParser::refuse_type(const Token& token) {
  cursor_.fail(kModelUnsupported, token.spot,
               fmt::format("Type '{}' is not supported.", token.text));
}

bool DeclarationParser::starts_here() const {
  const Token& token = cursor_.peek();
  if (token.is_word("array")) return cursor_.peek(1).is("[");
  if (token.is_word("tuple")) return cursor_.peek(1).is("(");
  return type_word(token) != nullptr || names_unsupported_type(token);
}

const Token& DeclarationParser::new_name(std::string_view what) {
  const Token& name = cursor_.expect_name(what);
  if (is_reserved_word(name.text)) {
    cursor_.fail(kModelName, name.spot,
                 fmt::format("'{}' is a reserved word and cannot be {}.", name.text, what));
  }
  if (name.text.ends_with("__")) {
    cursor_.fail(
        kModelName, name.spot,
        fmt::format("'{}' ends in two underscores; such names belong to Stan.", name.text));
  }
  return name;
}

std::vector<std::unique_ptr<Declaration>> DeclarationParser::declarations() {
  auto array_sizes = std::make_shared<std::vector<ExpressionPtr>>();
  if (cursor_.peek().is_word("array")) {
    cursor_.take();
    array_sizes = sizes_in_brackets();
  }
  const std::shared_ptr<DeclaredType> type = declared_type();
  std::vector<std::unique_ptr<Declaration>> list;
  do {
    const Token& name = new_name("a variable's name");
    auto made = std::make_unique<Declaration>();
    made->spot = name.spot;
    made->name = name.text;
    made->declared = type;
    made->array_sizes = array_sizes;
    if (cursor_.peek().is("[")) {
      if (!array_sizes->empty()) cursor_.fail_expected("',' or ';' after the declared name");
      made->array_sizes = sizes_in_brackets();
    }
    if (cursor_.take_if("=")) made->initial = expressions_.expression();
    list.push_back(std::move(made));
  } while (cursor_.take_if(","));
  cursor_.expect(";", "after this declaration");
  return list;
}

std::shared_ptr<std::vector<ExpressionPtr>> DeclarationParser::sizes_in_brackets() {
  cursor_.expect("[", "before the sizes");
  if (cursor_.peek().is("]") || cursor_.peek().is(",")) cursor_.fail_expected("a size");
  const Spot spot = cursor_.peek().spot;
  auto sizes = std::make_shared<std::vector<ExpressionPtr>>(expressions_.arguments("]"));
  check_rank(sizes->size(), spot);
  return sizes;
}

std::shared_ptr<DeclaredType> DeclarationParser::declared_type() {
  const Token& token = cursor_.peek();
  if (names_unsupported_type(token)) {
    refuse_type(token);
  }
  if (token.is_word("tuple")) return declared_tuple();
  const TypeWord* word = type_word(token);
  if (word == nullptr) cursor_.fail_expected("a type");
  cursor_.take();
  auto type = std::make_shared<DeclaredType>();
  type->base = word->base;
  type->special = word->special;
  type->spot = token.spot;
  constraints(*type);
  type_sizes(*type);
  return type;
}

// Parses "(real, array[3] vector[K])" after the word tuple.
std::shared_ptr<DeclaredType> DeclarationParser::declared_tuple() {
  const DepthGuard guard(depth_, cursor_);
  auto type = std::make_shared<DeclaredType>();
  type->base = StanBase::tuple;
  type->spot = cursor_.take().spot;
  cursor_.expect("(", "after 'tuple'");
  do {
    auto component = std::make_unique<Declaration>();
    component->spot = cursor_.peek().spot;
    component->array_sizes = std::make_shared<std::vector<ExpressionPtr>>();
    if (cursor_.peek().is_word("array")) {
      cursor_.take();
      component->array_sizes = sizes_in_brackets();
    }
    component->declared = declared_type();
    type->components.push_back(std::move(component));
  } while (cursor_.take_if(","));
  cursor_.expect(")", "or ',' in this tuple");
  check_components(type->components.size(), type->spot);
  return type;
}

StanType DeclarationParser::unsized_tuple() {
  const DepthGuard guard(depth_, cursor_);
  const Spot spot = cursor_.take().spot;
  cursor_.expect("(", "after 'tuple'");
  std::vector<StanType> parts;
  do {
    parts.push_back(unsized_type());
    if (parts.back() == kVoidType) {
      cursor_.fail(kModelType, spot, "A tuple cannot hold void.");
    }
  } while (cursor_.take_if(","));
  cursor_.expect(")", "or ',' in this tuple");
  check_components(parts.size(), spot);
  return tuple_type(parts);
}

void DeclarationParser::check_components(std::size_t count, Spot spot) {
  if (count >= 2) return;
  cursor_.fail(kModelSyntax, spot, "A tuple has at least two components.");
}

void DeclarationParser::type_sizes(DeclaredType& type) {
  if (type.base == StanBase::integer || type.base == StanBase::real ||
      type.base == StanBase::complex) {
    return;
  }
  cursor_.expect("[", "and the size of this type");
  type.sizes = expressions_.arguments("]");
  const bool square = type.special == SpecialType::cholesky_factor_corr ||
                      type.special == SpecialType::corr_matrix ||
                      type.special == SpecialType::cov_matrix;
  const bool perhaps_square = type.special == SpecialType::cholesky_factor_cov;
  const std::size_t most = type.base == StanBase::matrix && !square ? 2 : 1;
  const std::size_t least = perhaps_square ? 1 : most;
  if (type.sizes.size() < least || type.sizes.size() > most) {
    cursor_.fail(kModelSyntax, type.spot,
                 fmt::format("This type needs {} size{}, found {}.", least, least == 1 ? "" : "s",
                             type.sizes.size()));
  }
}

void DeclarationParser::constraints(DeclaredType& type) {
  if (!cursor_.take_if("<")) return;
  if (type.special != SpecialType::none) {
    cursor_.fail(kModelSyntax, type.spot,
                 fmt::format("'{}' takes no bounds.", name_of(type.special)));
  }
  do {
    const Token& name = cursor_.expect_name("'lower', 'upper', 'offset' or 'multiplier'");
    ExpressionPtr& constraint = constraint_named(type, name);
    if (constraint) {
      cursor_.fail(kModelSyntax, name.spot, fmt::format("'{}' is given twice.", name.text));
    }
    cursor_.expect("=", "after the constraint's name");
    constraint = expressions_.bound();
  } while (cursor_.take_if(","));
  cursor_.expect(">", "to close the constraint");
  if ((type.lower || type.upper) && (type.offset || type.multiplier)) {
    cursor_.fail(kModelSyntax, type.spot, "Bounds and offset or multiplier exclude each other.");
  }
}

ExpressionPtr& DeclarationParser::constraint_named(DeclaredType& type, const Token& name) {
  if (name.text == "lower") return type.lower;
  if (name.text == "upper") return type.upper;
  const bool affine = type.base != StanBase::integer;
  if (affine && name.text == "offset") return type.offset;
  if (affine && name.text == "multiplier") return type.multiplier;
  cursor_.fail(kModelSyntax, name.spot,
               fmt::format("'{}' is not a constraint of this type, which takes lower, upper{}.",
                           name.text, affine ? ", offset, multiplier" : ""),
               did_you_mean(name.text, {"lower", "upper", "offset", "multiplier"}));
}

StanType DeclarationParser::unsized_type() {
  const bool array_word = cursor_.peek().is_word("array");
  int rank = 0;
  if (array_word) {
    cursor_.take();
    rank = unsized_brackets();
  }
  const Token& token = cursor_.peek();
  if (names_unsupported_type(token)) {
    refuse_type(token);
  }
  if (token.is_word("void") && !array_word) {
    cursor_.take();
    return kVoidType;
  }
  if (token.is_word("tuple")) return unsized_tuple().with_rank(rank);
  const StanBase base =
      token.kind == TokenKind::identifier ? base_type_named(token.text) : StanBase::error;
  if (base == StanBase::error) {
    cursor_.fail_expected(
        "a type (int, real, vector, row_vector, matrix, tuple(...), array[] ...)");
  }
  cursor_.take();
  if (!array_word && cursor_.peek().is("[")) rank = unsized_brackets();
  return {base, rank};
}

void DeclarationParser::check_rank(std::size_t rank, Spot spot) {
  if (rank <= kMaxArrayRank) return;
  cursor_.fail(
      kModelTooLarge, spot,
      fmt::format("An array has at most {} dimensions; this one has {}.", kMaxArrayRank, rank));
}

int DeclarationParser::unsized_brackets() {
  const Spot spot = cursor_.expect("[", "after 'array'").spot;
  std::size_t rank = 1;
  while (cursor_.take_if(",")) ++rank;
  cursor_.expect("]", "or ',': sizes are not part of a function's types");
  check_rank(rank, spot);
  return static_cast<int>(rank);
}

}  // namespace dpvi
