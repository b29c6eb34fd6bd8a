#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Dense>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/matrix_entries.hpp>
#include <dpvi/stan/value/value_formula.hpp>

// Matrix functions whose algorithm branches on the numbers, which therefore need a matrix that is
// known before any record is read. Also some that are sums of products and accept any matrix.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;
using Eigen::MatrixXd;

// A vector or an array of numbers becomes one column.
MatrixXd known_matrix(CallContext& context, const Value& matrix) {
  if (matrix.trace.over_records) {
    context.fail(kModelFactorises,
                 fmt::format("{} of the data matrix combines all records.", context.function),
                 "Use its columns as they are, centred and scaled by declared means and sds.");
  }
  GraphBuilder& builder = context.builder;
  const NodeId node = matrix.flat(builder);
  if (!builder.is_constant(node)) {
    context.fail(kModelUnsupported,
                 fmt::format("{} is supported for public data only.", context.function));
  }
  const std::span<const double> numbers = builder.graph()[node].values;
  context.spend(matrix.size() * std::max(matrix.rows(), matrix.columns()));
  const bool flat = matrix.type() != kMatrixType;
  return Eigen::Map<const MatrixXd>(numbers.data(), flat ? matrix.size() : matrix.rows(),
                                    flat ? 1 : matrix.columns());
}

Value matrix_value(CallContext& context, const MatrixXd& matrix) {
  const std::span numbers(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return Value(kMatrixType, {matrix.rows(), matrix.cols()}, context.builder.constant(numbers));
}

Value vector_value(CallContext& context, const Eigen::VectorXd& vector) {
  const std::span numbers(vector.data(), static_cast<std::size_t>(vector.size()));
  return Value(kVectorType, {vector.size()}, context.builder.constant(numbers));
}

MatrixXd known_symmetric(CallContext& context, const Value& matrix) {
  square_size(context, matrix);
  MatrixXd known = known_matrix(context, matrix);
  if (known.size() > 0 && !((known - known.transpose()).cwiseAbs().maxCoeff() <= 1e-8)) {
    context.fail(fmt::format("{} needs a symmetric matrix.", context.function));
  }
  return known;
}

Value eigenvalues_sym(CallContext& context, Arguments arguments) {
  const MatrixXd known = known_symmetric(context, arguments[0]);
  if (known.size() == 0) return vector_value(context, {});
  return vector_value(
      context,
      Eigen::SelfAdjointEigenSolver<MatrixXd>(known, Eigen::EigenvaluesOnly).eigenvalues());
}

Value eigenvectors_sym(CallContext& context, Arguments arguments) {
  const MatrixXd known = known_symmetric(context, arguments[0]);
  if (known.size() == 0) return arguments[0];
  return matrix_value(context, Eigen::SelfAdjointEigenSolver<MatrixXd>(known).eigenvectors());
}

Value singular_values(CallContext& context, Arguments arguments) {
  const MatrixXd known = known_matrix(context, arguments[0]);
  if (known.size() == 0) return vector_value(context, {});
  return vector_value(context, Eigen::JacobiSVD<MatrixXd>(known).singularValues());
}

// The vectors are in descending order of their singular values; their signs are Eigen's, as in
// Stan.
template <bool kLeft>
Value svd(CallContext& context, Arguments arguments) {
  const MatrixXd known = known_matrix(context, arguments[0]);
  if (known.size() == 0) return matrix_value(context, MatrixXd(0, 0));
  const Eigen::JacobiSVD<MatrixXd> made(known, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return matrix_value(context, kLeft ? made.matrixU() : made.matrixV());
}

// Q and R with a non-negative diagonal of R, as in Stan.
template <bool kWantsQ, bool kThin>
Value qr(CallContext& context, Arguments arguments) {
  const MatrixXd known = known_matrix(context, arguments[0]);
  if (known.size() == 0)
    context.fail(fmt::format("{} needs at least one entry.", context.function));
  const Eigen::HouseholderQR<MatrixXd> made(known);
  const Eigen::Index least = std::min(known.rows(), known.cols());
  const Eigen::Index height = kThin ? least : known.rows();
  MatrixXd q = made.householderQ() * MatrixXd::Identity(known.rows(), height);
  MatrixXd r = made.matrixQR().topRows(height).triangularView<Eigen::Upper>();
  for (Eigen::Index i = 0; i < least; ++i) {
    if (r(i, i) >= 0.0) continue;
    r.row(i) *= -1.0;
    q.col(i) *= -1.0;
  }
  return matrix_value(context, kWantsQ ? q : r);
}

// Returns (vectors, values).
Value eigendecompose_sym(CallContext& context, Arguments arguments) {
  std::vector<Value> parts{eigenvectors_sym(context, arguments),
                           eigenvalues_sym(context, arguments)};
  const StanType types[] = {kMatrixType, kVectorType};
  return Value::tuple(tuple_type(types), {}, std::move(parts));
}

// Returns (U, singular values, V).
Value svd_parts(CallContext& context, Arguments arguments) {
  std::vector<Value> parts{svd<true>(context, arguments), singular_values(context, arguments),
                           svd<false>(context, arguments)};
  const StanType types[] = {kMatrixType, kVectorType, kMatrixType};
  return Value::tuple(tuple_type(types), {}, std::move(parts));
}

// Returns (Q, R).
template <bool kThin>
Value qr_parts(CallContext& context, Arguments arguments) {
  std::vector<Value> parts{qr<true, kThin>(context, arguments),
                           qr<false, kThin>(context, arguments)};
  const StanType types[] = {kMatrixType, kMatrixType};
  return Value::tuple(tuple_type(types), {}, std::move(parts));
}

// Scaling and squaring of a Taylor sum; accurate to rounding up to a norm of 2^kHalvings.
Value matrix_exp(CallContext& context, Arguments arguments) {
  constexpr int kHalvings = 6;
  constexpr int kTerms = 18;
  const std::int64_t size = square_size(context, arguments[0]);
  if (size == 0) return arguments[0];
  const Formula f{context};
  const Value scaled = f(Op::mul, arguments[0], std::ldexp(1.0, -kHalvings));
  const Value one = identity_of(context, size);
  Value sum = one;
  for (int k = kTerms; k > 0; --k) {
    sum = f(Op::add, one, f(Op::div, matrix_product(context, scaled, sum), k));
  }
  for (int i = 0; i < kHalvings; ++i) sum = matrix_product(context, sum, sum);
  return sum;
}

Value matrix_exp_multiply(CallContext& context, Arguments arguments) {
  return matrix_product(context, matrix_exp(context, arguments.first(1)), arguments[1]);
}

Value scale_matrix_exp_multiply(CallContext& context, Arguments arguments) {
  const std::array scaled{elementwise(context, Op::mul, arguments[0], arguments[1])};
  return matrix_product(context, matrix_exp(context, scaled), arguments[2]);
}

// Log marginal likelihood of a hidden Markov model. log_omega[k, t] is the log density of
// observation t in state k, Gamma[j, k] the transition probability from j to k, rho the initial
// distribution.
Value hmm_marginal(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& seen = arguments[0];
  const Value& moves = arguments[1];
  const std::int64_t states = square_size(context, moves);
  require_sizes(context, seen.rows(), states);
  require_sizes(context, arguments[2].size(), states);
  const auto count = static_cast<std::int32_t>(states);
  if (seen.size() == 0) return real_value(context, 0.0);
  const auto at = [&](std::int64_t t) {
    return builder.slice(seen.flat(builder), static_cast<std::int32_t>(t) * count, count);
  };
  const NodeId log_moves = builder.unary(Op::log, moves.flat(builder));
  NodeId log_alpha = builder.add(at(0), builder.unary(Op::log, arguments[2].flat(builder)));
  for (std::int64_t t = 1; t < seen.columns(); ++t) {
    context.spend(states * states);
    std::vector<NodeId> next;
    for (std::int32_t k = 0; k < count; ++k) {
      const NodeId into = builder.slice(log_moves, k * count, count);
      next.push_back(builder.reduce(Op::log_sum_exp, builder.add(log_alpha, into)));
    }
    log_alpha = builder.add(at(t), builder.pack(next));
  }
  return Value::scalar(kRealType, builder.reduce(Op::log_sum_exp, log_alpha));
}

// Interpolates linearly between order statistics (R's type 7).
Value quantile(CallContext& context, Arguments arguments) {
  MatrixXd known = known_matrix(context, arguments[0]);
  if (known.size() == 0) context.fail("A quantile needs at least one entry.");
  std::sort(known.data(), known.data() + known.size());
  std::vector<double> found;
  for (const NodeId node : arguments[1].entries(context.builder)) {
    const double* share = context.builder.constant_value(node);
    if (share == nullptr || !(*share >= 0.0 && *share <= 1.0)) {
      context.fail("The probability of a quantile must be a known number from 0 to 1.");
    }
    const double place = *share * static_cast<double>(known.size() - 1);
    const auto below = static_cast<Eigen::Index>(place);
    const Eigen::Index above = std::min(below + 1, known.size() - 1);
    const double low = known.data()[below];
    found.push_back(low + (place - static_cast<double>(below)) * (known.data()[above] - low));
  }
  if (arguments[1].is_scalar()) return real_value(context, found[0]);
  return Value({StanBase::real, 1}, arguments[1].dims(), context.builder.constant(found));
}

Value uniform_simplex(CallContext& context, Arguments arguments) {
  const std::int64_t size = context.known_int(arguments[0], "A size");
  if (size < 1) context.fail("A simplex has at least one entry.");
  const std::vector<double> shares(static_cast<std::size_t>(context.checked_size(size)),
                                   1.0 / static_cast<double>(size));
  return Value(kVectorType, {size}, context.builder.constant(shares));
}

constexpr FunctionRow kRows[] = {
    {"eigenvalues_sym", "matrix -> vector", eigenvalues_sym},
    {"eigenvectors_sym", "matrix -> matrix", eigenvectors_sym},
    {"singular_values", "matrix -> vector", singular_values},
    {"svd_U", "matrix -> matrix", svd<true>},
    {"svd_V", "matrix -> matrix", svd<false>},
    {"qr_Q", "matrix -> matrix", qr<true, false>},
    {"qr_R", "matrix -> matrix", qr<false, false>},
    {"qr_thin_Q", "matrix -> matrix", qr<true, true>},
    {"qr_thin_R", "matrix -> matrix", qr<false, true>},
    {"eigendecompose_sym", "matrix -> tuple(matrix,vector)", eigendecompose_sym},
    {"svd", "matrix -> tuple(matrix,vector,matrix)", svd_parts},
    {"qr", "matrix -> tuple(matrix,matrix)", qr_parts<false>},
    {"qr_thin", "matrix -> tuple(matrix,matrix)", qr_parts<true>},
    {"matrix_exp", "matrix -> matrix", matrix_exp},
    {"matrix_exp_multiply", "matrix matrix -> matrix", matrix_exp_multiply},
    {"scale_matrix_exp_multiply", "real matrix matrix -> matrix", scale_matrix_exp_multiply},
    {"hmm_marginal", "matrix matrix vector -> real", hmm_marginal},
    {"quantile",
     "vector real -> real;vector real[] -> real[];row_vector real -> real;"
     "row_vector real[] -> real[];real[] real -> real;real[] real[] -> real[]",
     quantile},
    {"uniform_simplex", "int -> vector", uniform_simplex},
};

}  // namespace

std::span<const FunctionRow> decomposition_rows() { return kRows; }

}  // namespace dpvi
