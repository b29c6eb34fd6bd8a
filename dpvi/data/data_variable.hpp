#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {

enum class BaseType { real, integer };

// A number stated by a program: a literal, a public integer plus a constant (`J`, `K + 1`), or an
// expression that only the program can evaluate.
struct DeclaredNumber {
  enum class Kind { number, size, expression };

  Kind kind = Kind::number;
  double value = 0;  // the number, or the constant added to the size
  std::string size;  // name of the public integer, for Kind::size
  std::string text;  // source text, for messages
  // Evaluates an expression from the values of public integers; returns nullopt while one is
  // unknown. Empty if only running the program gives the value.
  using Integers = std::function<std::optional<double>(const std::string& name)>;
  std::function<std::optional<double>(const Integers& known)> evaluate = {};

  static DeclaredNumber number(double value);
  static DeclaredNumber size_plus(std::string name, double plus = 0);
  static DeclaredNumber expression(std::string text);
};

// Container type of the innermost indices of a variable.
enum class Container { scalar, vector, row_vector, matrix };

// A variable that a program declares in its data block. The only link to Stan is
// `type_description`, which is shown to people.
struct DataVariable {
  std::string name;
  BaseType base = BaseType::real;
  // True if the first dimension is the record count: the variable is bound to columns. All other
  // variables are public data.
  bool per_record = false;
  // If the program has several tables, the one whose rows have this variable: 1, 2, ...; 0 for rows
  // of every table.
  std::size_t table = 0;
  bool is_table_number = false;  // no variable of the program: the number of a row's table
  // Excludes the record dimension. Values are flattened with the last index varying fastest, also
  // inside matrices.
  std::vector<DeclaredNumber> dimensions;
  Container container = Container::scalar;
  std::optional<DeclaredNumber> lower;
  std::optional<DeclaredNumber> upper;
  // True for an integer scalar that sizes a declaration. No other variable may be taken from a data
  // file without being named public.
  bool used_as_size = false;
  std::string type_description;  // "array[N] int<lower=1, upper=J>"
  SourcePlace place;             // of the declaration

  bool is_integer_scalar() const {
    return base == BaseType::integer && !per_record && dimensions.empty();
  }
};

}  // namespace dpvi
