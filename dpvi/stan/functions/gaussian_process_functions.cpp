#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <dpvi/model/expression_functions.hpp>
#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>
#include <dpvi/stan/value/value.hpp>

// Covariance functions of Gaussian processes over points other than records: ages, years, knots.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

// The points, and the other arguments: the marginal standard deviation, then scales.
struct KernelArguments {
  Value rows, columns;  // the points
  Arguments scales;
};

KernelArguments kernel_arguments(CallContext& context, Arguments arguments) {
  const bool crossed = arguments[1].type().is_array() &&
                       arguments[1].type() == arguments[0].type() && arguments.size() > 2;
  KernelArguments made{arguments[0], arguments[crossed ? 1 : 0],
                       arguments.subspan(crossed ? 2 : 1)};
  for (const Value* points : {&made.rows, &made.columns}) {
    if (!points->trace.over_records) continue;
    context.fail(kModelFactorises,
                 fmt::format("{} over records couples all records through their covariances.",
                             context.function),
                 "Use basis functions with public knots, or a process over public points.");
  }
  return made;
}

// The coordinates of a point, divided by the length scales if there is one per coordinate.
Expression point(CallContext& context, const Value& points, std::int64_t i, const Value* scales) {
  GraphBuilder& builder = context.builder;
  const Expression at{&builder, points.array_element(builder, i).flat(builder)};
  if (scales == nullptr || scales->is_scalar()) return at;
  const Expression by{&builder, scales->flat(builder)};
  if (by.length() != at.length()) context.fail("One length scale is needed for each coordinate.");
  return at / by;
}

// One number per pair of points, in column-major order.
template <class Pair>
Expression over_pairs(CallContext& context, const KernelArguments& kernel, const Value* scales,
                      Pair pair) {
  const std::int64_t rows = kernel.rows.dims()[0];
  const std::int64_t columns = kernel.columns.dims()[0];
  context.spend(std::int64_t{8} * context.checked_size(rows * columns));
  std::vector<Expression> list;
  for (std::int64_t c = 0; c < columns; ++c) {
    const Expression right = point(context, kernel.columns, c, scales);
    for (std::int64_t r = 0; r < rows; ++r) {
      const Expression left = point(context, kernel.rows, r, scales);
      if (left.length() != right.length()) context.fail("The points differ in dimension.");
      list.push_back(pair(left, right));
    }
  }
  return pack(context.builder, list);
}

Expression squared_distance(Expression a, Expression b) {
  return a.with(a.builder->squared_distance(a.id, b.id));
}

Value kernel_matrix(const KernelArguments& kernel, Expression entries) {
  return Value(kMatrixType, {kernel.rows.dims()[0], kernel.columns.dims()[0]}, entries.id);
}

Expression number_of(CallContext& context, const Value& value) {
  return {&context.builder, value.flat(context.builder)};
}

// sigma^2 f(d^2, d), with distances in units of the length scale.
template <class Shape>
Value stationary(CallContext& context, Arguments arguments, Shape shape) {
  const KernelArguments kernel = kernel_arguments(context, arguments);
  const Value& length = kernel.scales[1];
  Expression squares = over_pairs(context, kernel, &length, squared_distance);
  if (length.is_scalar()) squares = squares / square(number_of(context, length));
  // The square root has no derivative at 0, which matters only if points depend on parameters.
  const Expression distances = select(squares > 0.0, sqrt(squares), 0.0);
  const Expression sigma = number_of(context, kernel.scales[0]);
  return kernel_matrix(kernel, square(sigma) * shape(squares, distances));
}

Value exp_quad(CallContext& context, Arguments arguments) {
  return stationary(context, arguments,
                    [](Expression squares, Expression) { return exp(-0.5 * squares); });
}

Value exponential(CallContext& context, Arguments arguments) {
  return stationary(context, arguments, [](Expression, Expression d) { return exp(-d); });
}

Value matern32(CallContext& context, Arguments arguments) {
  return stationary(context, arguments, [](Expression, Expression d) {
    const Expression far = std::numbers::sqrt3 * d;
    return (1.0 + far) * exp(-far);
  });
}

Value matern52(CallContext& context, Arguments arguments) {
  return stationary(context, arguments, [](Expression squares, Expression d) {
    const Expression far = std::sqrt(5.0) * d;
    return (1.0 + far + (5.0 / 3.0) * squares) * exp(-far);
  });
}

// Arguments after the points: sigma, length scale, period.
Value periodic(CallContext& context, Arguments arguments) {
  const KernelArguments kernel = kernel_arguments(context, arguments);
  const Expression squares = over_pairs(context, kernel, nullptr, squared_distance);
  const Expression distances = select(squares > 0.0, sqrt(squares), 0.0);
  const Expression sigma = number_of(context, kernel.scales[0]);
  const Expression length = number_of(context, kernel.scales[1]);
  const Expression period = number_of(context, kernel.scales[2]);
  const Expression wave = apply(Op::sin, std::numbers::pi * distances / period) / length;
  return kernel_matrix(kernel, square(sigma) * exp(-2.0 * square(wave)));
}

Value dot_product(CallContext& context, Arguments arguments) {
  const KernelArguments kernel = kernel_arguments(context, arguments);
  const Expression products = over_pairs(context, kernel, nullptr, [](Expression a, Expression b) {
    return a.with(a.builder->dot(a.id, b.id));
  });
  return kernel_matrix(kernel, square(number_of(context, kernel.scales[0])) + products);
}

constexpr std::string_view kStationary =
    "real[] real real -> matrix;real[] real[] real real -> matrix;vector[] real real -> matrix;"
    "vector[] real real[] -> matrix;vector[] vector[] real real -> matrix;"
    "vector[] vector[] real real[] -> matrix";

constexpr FunctionRow kRows[] = {
    {"gp_exp_quad_cov", kStationary, exp_quad},
    {"gp_exponential_cov", kStationary, exponential},
    {"gp_matern32_cov", kStationary, matern32},
    {"gp_matern52_cov", kStationary, matern52},
    {"gp_periodic_cov",
     "real[] real real real -> matrix;real[] real[] real real real -> matrix;"
     "vector[] real real real -> matrix;vector[] vector[] real real real -> matrix",
     periodic},
    {"gp_dot_prod_cov",
     "real[] real -> matrix;real[] real[] real -> matrix;vector[] real -> matrix;"
     "vector[] vector[] real -> matrix",
     dot_product},
};

}  // namespace

std::span<const FunctionRow> gaussian_process_rows() { return kRows; }

}  // namespace dpvi
