#include <dpvi/data/data_variable.hpp>

#include <fmt/format.h>

namespace dpvi {

DeclaredNumber DeclaredNumber::number(double value) {
  return {Kind::number, value, {}, fmt::format("{}", value), {}};
}

DeclaredNumber DeclaredNumber::size_plus(std::string name, double plus) {
  std::string text = name;
  if (plus != 0) text += fmt::format(" {} {}", plus < 0 ? '-' : '+', plus < 0 ? -plus : plus);
  return {Kind::size, plus, std::move(name), std::move(text), {}};
}

DeclaredNumber DeclaredNumber::expression(std::string text) {
  return {Kind::expression, 0, {}, std::move(text), {}};
}

}  // namespace dpvi
