#include <dpvi/stan/syntax/stan_type.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

namespace dpvi {

struct TupleParts {
  std::vector<StanType> types;
};

namespace {

std::string_view name_of(StanBase base) {
  switch (base) {
    case StanBase::integer:
      return "int";
    case StanBase::real:
      return "real";
    case StanBase::complex:
      return "complex";
    case StanBase::vector:
      return "vector";
    case StanBase::row_vector:
      return "row_vector";
    case StanBase::matrix:
      return "matrix";
    case StanBase::tuple:
      return "tuple";
    case StanBase::nothing:
      return "void";
    case StanBase::error:
      break;
  }
  return "unknown type";
}

}  // namespace

// Interned for the life of the process, one entry per distinct list; programs contain only a few.
StanType tuple_type(std::span<const StanType> parts) {
  static std::mutex guard;
  static std::deque<TupleParts> known;
  const std::scoped_lock lock(guard);
  const auto found = std::find_if(known.begin(), known.end(), [&](const TupleParts& one) {
    return std::equal(one.types.begin(), one.types.end(), parts.begin(), parts.end());
  });
  if (found != known.end()) return {StanBase::tuple, 0, &*found};
  known.push_back({{parts.begin(), parts.end()}});
  return {StanBase::tuple, 0, &known.back()};
}

std::span<const StanType> tuple_parts(StanType type) { return type.parts->types; }

int StanType::rank() const {
  switch (base) {
    case StanBase::vector:
    case StanBase::row_vector:
      return array_rank + 1;
    case StanBase::matrix:
      return array_rank + 2;
    default:
      return array_rank;
  }
}

std::string to_string(StanType type) {
  std::string text;
  if (type.array_rank > 0) {
    text = "array[" + std::string(static_cast<std::size_t>(type.array_rank - 1), ',') + "] ";
  }
  text.append(name_of(type.base));
  if (type.base != StanBase::tuple) return text;
  const char* separator = "(";
  for (const StanType part : tuple_parts(type)) {
    text.append(separator).append(to_string(part));
    separator = ", ";
  }
  return text + ")";
}

StanBase base_type_named(std::string_view name) {
  for (const StanBase base : {StanBase::integer, StanBase::real, StanBase::complex,
                              StanBase::vector, StanBase::row_vector, StanBase::matrix}) {
    if (name == name_of(base)) return base;
  }
  return StanBase::error;
}

namespace {

// True if the tuples have equally many parts and `joint` holds for each pair of parts.
template <class Joint>
bool all_parts(StanType a, StanType b, const Joint& joint) {
  const auto left = tuple_parts(a);
  const auto right = tuple_parts(b);
  return a.array_rank == b.array_rank &&
         std::equal(left.begin(), left.end(), right.begin(), right.end(), joint);
}

bool are_tuples(StanType a, StanType b) {
  return a.base == StanBase::tuple && b.base == StanBase::tuple;
}

}  // namespace

bool promotes_to(StanType from, StanType to) {
  if (from.is_error() || to.is_error() || from == to) return true;
  if (are_tuples(from, to)) return all_parts(from, to, promotes_to);
  return from.array_rank == to.array_rank && from.base == StanBase::integer &&
         to.base == StanBase::real;
}

StanType common_type(StanType a, StanType b) {
  if (promotes_to(a, b)) return b;
  if (promotes_to(b, a)) return a;
  std::vector<StanType> joint;
  const auto fit = [&](StanType left, StanType right) {
    joint.push_back(common_type(left, right));
    return !joint.back().is_error();
  };
  if (!are_tuples(a, b) || !all_parts(a, b, fit)) return kErrorType;
  return tuple_type(joint).with_rank(a.array_rank);
}

}  // namespace dpvi
