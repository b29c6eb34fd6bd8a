#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// `error` stands for an expression whose mistake has been reported; it fits everywhere, so that one
// mistake gives one message.
enum class StanBase : std::uint8_t {
  error,
  nothing,
  integer,
  real,
  complex,
  vector,
  row_vector,
  matrix,
  tuple
};

struct TupleParts;

// Of the sizes in front of a type; nobody needs more, and values keep their sizes in place.
inline constexpr std::size_t kMaxArrayRank = 6;

// The type of an expression: sizes and constraints are no part of it.
struct StanType {
  StanBase base = StanBase::error;
  int array_rank = 0;
  const TupleParts* parts = nullptr;  // of a tuple; equal types have the same one

  bool operator==(const StanType&) const = default;
  bool is_error() const { return base == StanBase::error; }
  bool is_int() const { return base == StanBase::integer && array_rank == 0; }
  bool is_scalar() const {
    return array_rank == 0 && (base == StanBase::integer || base == StanBase::real);
  }
  bool is_array() const { return array_rank > 0; }
  // The number of single indices that lead to a scalar.
  int rank() const;
  StanType element() const { return {base, array_rank - 1, parts}; }
  // The same with other array dimensions.
  StanType with_rank(int rank) const { return {base, rank, parts}; }
};

inline constexpr StanType kErrorType{StanBase::error, 0};
inline constexpr StanType kVoidType{StanBase::nothing, 0};
inline constexpr StanType kIntType{StanBase::integer, 0};
inline constexpr StanType kRealType{StanBase::real, 0};
inline constexpr StanType kVectorType{StanBase::vector, 0};
inline constexpr StanType kRowVectorType{StanBase::row_vector, 0};
inline constexpr StanType kMatrixType{StanBase::matrix, 0};

// The type of (a, b, ...), and the types of what a tuple holds.
StanType tuple_type(std::span<const StanType> parts);
std::span<const StanType> tuple_parts(StanType type);

// As Stan writes it: "array[,] real".
std::string to_string(StanType type);
// error for a word that names no type
StanBase base_type_named(std::string_view name);

// May a value of type `from` stand where `to` is wanted? The same type, or ints for reals.
bool promotes_to(StanType from, StanType to);
// The type both can be promoted to; error if there is none.
StanType common_type(StanType a, StanType b);

}  // namespace dpvi
