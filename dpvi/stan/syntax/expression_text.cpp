#include <dpvi/stan/syntax/expression_text.hpp>

#include <fmt/format.h>

namespace dpvi {
namespace {

std::string list_text(const std::vector<ExpressionPtr>& list, bool with_bar = false) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += i == 1 && with_bar ? " | " : ", ";
    text += to_text(*list[i]);
  }
  return text;
}

std::string index_text(const StanIndex& index) {
  const std::string low = index.low ? to_text(*index.low) : "";
  const std::string high = index.high ? to_text(*index.high) : "";
  return index.kind == IndexKind::single ? low : fmt::format("{}:{}", low, high);
}

std::string indices_text(const StanExpression& expression) {
  std::string text;
  for (const StanIndex& index : expression.indices) {
    if (!text.empty()) text += ", ";
    text += index_text(index);
  }
  return fmt::format("{}[{}]", to_text(*expression.operands[0]), text);
}

}  // namespace

std::string to_text(const StanExpression& expression) {
  const auto operand = [&](std::size_t i) { return to_text(*expression.operands[i]); };
  switch (expression.kind) {
    case ExpressionKind::integer_literal:
    case ExpressionKind::real_literal:
      return fmt::format("{}", expression.number);
    case ExpressionKind::variable:
      return expression.name;
    case ExpressionKind::call:
      return fmt::format("{}({})", expression.name,
                         list_text(expression.operands, expression.with_bar));
    case ExpressionKind::index:
      return indices_text(expression);
    case ExpressionKind::unary:
      return fmt::format("({}{})", symbol_of(expression.op), operand(0));
    case ExpressionKind::binary:
      return fmt::format("({} {} {})", operand(0), symbol_of(expression.op), operand(1));
    case ExpressionKind::conditional:
      return fmt::format("({} ? {} : {})", operand(0), operand(1), operand(2));
    case ExpressionKind::transpose:
      return operand(0) + "'";
    case ExpressionKind::array_literal:
      return fmt::format("{{{}}}", list_text(expression.operands));
    case ExpressionKind::tuple_literal:
      return fmt::format("({})", list_text(expression.operands));
    case ExpressionKind::projection:
      return fmt::format("{}.{}", operand(0), expression.number);
    case ExpressionKind::row_vector_literal:
      return fmt::format("[{}]", list_text(expression.operands));
    case ExpressionKind::target_value:
      break;
  }
  return "target()";
}

std::string type_description(const Declaration& declaration) {
  const DeclaredType& type = *declaration.declared;
  const std::vector<ExpressionPtr>& arrays = *declaration.array_sizes;
  std::string text = arrays.empty() ? "" : fmt::format("array[{}] ", list_text(arrays));
  text += type.special == SpecialType::none ? to_string(StanType{type.base, 0})
                                            : std::string(name_of(type.special));
  std::string bounds;
  for (const auto& [name, bound] :
       {std::pair("lower", type.lower.get()), std::pair("upper", type.upper.get()),
        std::pair("offset", type.offset.get()), std::pair("multiplier", type.multiplier.get())}) {
    if (bound == nullptr) continue;
    bounds += fmt::format("{}{}={}", bounds.empty() ? "" : ", ", name, to_text(*bound));
  }
  if (!bounds.empty()) text += fmt::format("<{}>", bounds);
  if (!type.sizes.empty()) text += fmt::format("[{}]", list_text(type.sizes));
  return text;
}

}  // namespace dpvi
