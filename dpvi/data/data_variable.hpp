#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {

enum class BaseType { real, integer };

// A number as a program states it: outright, as a public integer plus a constant (`J`, `K + 1`), or
// as an expression that only the program can evaluate.
struct DeclaredNumber {
  enum class Kind { number, size, expression };

  Kind kind = Kind::number;
  double value = 0;  // the number, or what is added to the size
  std::string size;  // name of the public integer, for Kind::size
  std::string text;  // as written, for messages
  // The value of an expression by those of public integers; nothing while one is not known. Empty
  // if only a run of the program can tell.
  using Integers = std::function<std::optional<double>(const std::string& name)>;
  std::function<std::optional<double>(const Integers& known)> evaluate = {};

  static DeclaredNumber number(double value);
  static DeclaredNumber size_plus(std::string name, double plus = 0);
  static DeclaredNumber expression(std::string text);
};

// What holds the innermost indices of one variable.
enum class Container { scalar, vector, row_vector, matrix };

// What a program wants to be given under one name of its data block. Knows nothing of Stan beyond
// the words shown to people.
struct DataVariable {
  std::string name;
  BaseType base = BaseType::real;
  // Led by the record count: bound to columns. Everything else is public data.
  bool per_record = false;
  // Without the record dimension. Values are flattened with the last index moving fastest, also
  // inside matrices.
  std::vector<DeclaredNumber> dimensions;
  Container container = Container::scalar;
  std::optional<DeclaredNumber> lower;
  std::optional<DeclaredNumber> upper;
  // An integer scalar that sizes some declaration: the only kind that may be taken from a data file
  // without being named public.
  bool serves_as_size = false;
  std::string type_words;  // "array[N] int<lower=1, upper=J>"
  SourcePlace place;       // of the declaration

  bool is_integer_scalar() const {
    return base == BaseType::integer && !per_record && dimensions.empty();
  }
};

}  // namespace dpvi
