#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// `error` is the type of an expression whose error has been reported. It is compatible with every
// type, so that one mistake gives one message.
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

// Limits the array dimensions of a type, because values store their sizes in place.
inline constexpr std::size_t kMaxArrayRank = 6;

// The type of an expression, without sizes and constraints.
struct StanType {
  StanBase base = StanBase::error;
  int array_rank = 0;
  const TupleParts* parts = nullptr;  // of a tuple; equal types share one pointer

  bool operator==(const StanType&) const = default;
  bool is_error() const { return base == StanBase::error; }
  bool is_int() const { return base == StanBase::integer && array_rank == 0; }
  bool is_scalar() const {
    return array_rank == 0 && (base == StanBase::integer || base == StanBase::real);
  }
  bool is_array() const { return array_rank > 0; }
  // The number of single indices that reach a scalar.
  int rank() const;
  StanType element() const { return {base, array_rank - 1, parts}; }
  // The same type with another number of array dimensions.
  StanType with_rank(int rank) const { return {base, rank, parts}; }
};

inline constexpr StanType kErrorType{StanBase::error, 0};
inline constexpr StanType kVoidType{StanBase::nothing, 0};
inline constexpr StanType kIntType{StanBase::integer, 0};
inline constexpr StanType kRealType{StanBase::real, 0};
inline constexpr StanType kVectorType{StanBase::vector, 0};
inline constexpr StanType kRowVectorType{StanBase::row_vector, 0};
inline constexpr StanType kMatrixType{StanBase::matrix, 0};

// The type of the tuple (a, b, ...), and the types of its components.
StanType tuple_type(std::span<const StanType> parts);
std::span<const StanType> tuple_parts(StanType type);

// Formats a type as Stan does: "array[,] real".
std::string to_string(StanType type);
// Returns `error` for a word that names no type.
StanBase base_type_named(std::string_view name);

// True if a value of type `from` is accepted as `to`: the same type, or ints for reals.
bool promotes_to(StanType from, StanType to);
// The type to which both can be promoted; `error` if there is none.
StanType common_type(StanType a, StanType b);

}  // namespace dpvi
