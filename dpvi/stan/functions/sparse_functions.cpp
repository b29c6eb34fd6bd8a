#include <vector>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/matrix_entries.hpp>

// Sparse matrices in Stan's compressed row storage: the non-zero entries w, row after row, the
// column v of each entry, and the start u of each row in w (plus one for the end). The pattern must
// be known; the entries may depend on anything.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

struct SparsePattern {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> column_of;  // of each entry, from 0
  std::vector<std::int64_t> starts;     // of each row, and the end
};

std::vector<std::int64_t> known_ints(CallContext& context, const Value& array) {
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < array.size(); ++i) {
    list.push_back(context.known_int(Value::scalar(kIntType, array.entry(context.builder, i)),
                                     "The pattern of a sparse matrix"));
  }
  return list;
}

// Validates the arguments m, n, w, v, u as Stan does.
SparsePattern sparse_pattern(CallContext& context, Arguments arguments) {
  SparsePattern made;
  made.rows = context.known_int(arguments[0], "A size");
  made.columns = context.known_int(arguments[1], "A size");
  if (made.rows < 1 || made.columns < 1) context.fail("A sparse matrix has at least one entry.");
  context.checked_size(made.rows);
  made.column_of = known_ints(context, arguments[3]);
  made.starts = known_ints(context, arguments[4]);
  const std::int64_t entries = arguments[2].size();
  require_sizes(context, arguments[3].size(), entries);
  require_sizes(context, arguments[4].size(), made.rows + 1);
  for (std::int64_t& column : made.column_of) {
    if (column < 1 || column > made.columns) {
      context.fail(
          fmt::format("Column {} is outside a matrix with {} columns.", column, made.columns));
    }
    --column;
  }
  std::int64_t last = 1;
  for (std::int64_t& start : made.starts) {
    if (start < last || start > entries + 1) {
      context.fail(fmt::format("A row starts at entry {}; there are {} entries.", start, entries));
    }
    last = start;
    --start;
  }
  if (made.starts.front() != 0 || made.starts.back() != entries) {
    context.fail("The rows of a sparse matrix do not use all of its entries.");
  }
  return made;
}

Value csr_matrix_times_vector(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const SparsePattern pattern = sparse_pattern(context, arguments);
  const Value& vector = arguments[5];
  require_sizes(context, vector.size(), pattern.columns);
  context.spend(arguments[2].size() + pattern.rows);
  std::vector<NodeId> products;
  for (std::int64_t r = 0; r < pattern.rows; ++r) {
    const std::int64_t begin = pattern.starts[static_cast<std::size_t>(r)];
    const std::int64_t end = pattern.starts[static_cast<std::size_t>(r) + 1];
    std::vector<NodeId> taken;
    for (std::int64_t i = begin; i < end; ++i) {
      taken.push_back(vector.entry(builder, pattern.column_of[static_cast<std::size_t>(i)]));
    }
    const NodeId weights =
        builder.slice(arguments[2].flat(builder), static_cast<std::int32_t>(begin),
                      static_cast<std::int32_t>(end - begin));
    products.push_back(taken.empty() ? builder.constant(0.0)
                                     : builder.dot(weights, builder.pack(taken)));
  }
  return Value(kVectorType, {pattern.rows}, std::move(products));
}

Value csr_to_dense_matrix(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const SparsePattern pattern = sparse_pattern(context, arguments);
  const auto size = context.checked_size(pattern.rows * pattern.columns);
  std::vector<NodeId> entries(static_cast<std::size_t>(size), builder.constant(0.0));
  for (std::int64_t r = 0; r < pattern.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (std::int64_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
      const std::int64_t column = pattern.column_of[static_cast<std::size_t>(i)];
      entries[static_cast<std::size_t>(column * pattern.rows + r)] = arguments[2].entry(builder, i);
    }
  }
  return Value(kMatrixType, {pattern.rows, pattern.columns}, std::move(entries));
}

// Components of the sparse form of a known matrix; entries equal to 0 are dropped.
enum class SparsePart { entries, columns, starts };

template <SparsePart kPart>
Value csr_extract(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& matrix = arguments[0];
  const NodeId node = matrix.flat(builder);
  if (matrix.trace.over_records || !builder.is_constant(node)) {
    context.fail(kModelUnsupported,
                 fmt::format("{} is supported for public data only.", context.function),
                 "Use the dense product 'x * b'.");
  }
  context.spend(matrix.size());
  const std::span<const double> numbers = builder.graph()[node].values;
  std::vector<double> found;
  if (kPart == SparsePart::starts) found.push_back(1.0);
  double count = 1.0;
  for (std::int64_t r = 0; r < matrix.rows(); ++r) {
    for (std::int64_t c = 0; c < matrix.columns(); ++c) {
      const double entry = numbers[static_cast<std::size_t>(c * matrix.rows() + r)];
      if (entry == 0.0) continue;
      ++count;
      if (kPart == SparsePart::entries) found.push_back(entry);
      if (kPart == SparsePart::columns) found.push_back(static_cast<double>(c + 1));
    }
    if (kPart == SparsePart::starts) found.push_back(count);
  }
  const StanType type = kPart == SparsePart::entries ? kVectorType : StanType{StanBase::integer, 1};
  return Value(type, {static_cast<std::int64_t>(found.size())}, builder.constant(found));
}

constexpr FunctionRow kRows[] = {
    {"csr_matrix_times_vector", "int int vector int[] int[] vector -> vector",
     csr_matrix_times_vector},
    {"csr_to_dense_matrix", "int int vector int[] int[] -> matrix", csr_to_dense_matrix},
    {"csr_extract_w", "matrix -> vector", csr_extract<SparsePart::entries>},
    {"csr_extract_v", "matrix -> int[]", csr_extract<SparsePart::columns>},
    {"csr_extract_u", "matrix -> int[]", csr_extract<SparsePart::starts>},
};

}  // namespace

std::span<const FunctionRow> sparse_function_rows() { return kRows; }

}  // namespace dpvi
