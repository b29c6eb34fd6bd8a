#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/syntax/stan_type.hpp>

namespace dpvi {

// The set of types that one argument accepts. Besides the plain types (written "int", "real[]",
// "matrix[,]", ...; for results also "tuple(matrix,vector)"):
//   x        a real or any container of reals
//   reals    real, real[], vector or row_vector     ints     int or int[]
//   vectors  vector, row_vector or an array of them list     vector, row_vector, real[] or int[]
//   matrices matrix or an array of them             design   matrix or row_vector
//   arrays   any array                              counts   int or any array of ints
//   any      anything
struct ArgumentPattern {
  enum class Kind { exact, x, reals, ints, counts, vectors, list, matrices, design, arrays, any };
  Kind kind = Kind::exact;
  StanType type;  // of an exact pattern
};

// One overload of a function, written "reals reals -> real". The result is a plain type or
//   first    the type of the first argument            x     the widest argument's type, of reals
//   number   the same, of ints if all arguments are ints
//   element  the first argument without its outer dimension
//   array1, array2, array3   the first argument's type with 1, 2 or 3 more array dimensions
struct Signature {
  enum class Result { exact, first, x, number, element, array1, array2, array3 };
  std::vector<ArgumentPattern> arguments;
  Result result_kind = Result::exact;
  StanType result;
};

// Parses signatures separated by ';'. A spelling mistake in a table is an internal error.
std::vector<Signature> parse_signatures(std::string_view text);

// The result type of a call with these arguments, or nullopt if no signature matches. Overload
// resolution picks the signature with the fewest promotions, and the first of several.
std::optional<StanType> match_signatures(std::span<const Signature> signatures,
                                         std::span<const StanType> arguments);

}  // namespace dpvi
