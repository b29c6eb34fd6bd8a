#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>

// The _glm densities: a density over scalars at alpha + x * beta.
namespace dpvi {
namespace {

// x times beta, with one entry for each row of x.
Expression predictor(GraphBuilder& builder, const ShapedNode& x, const ShapedNode& beta) {
  const MatmulShape shape{x.rows, x.columns, 1, 1, x.rows};
  return {&builder, builder.matmul(x.node, beta.node, shape)};
}

ShapedNode as_vector(Expression x) { return {x.id, x.length(), 1}; }

// Replaces the arguments x, alpha and beta, which start at x_at, by the linear predictor and calls
// `density`.
GraphFunction at_linear_predictor(const GraphFunction& density, std::size_t x_at) {
  return [density, x_at](GraphBuilder& builder, Arguments arguments) {
    const Expression alpha = argument(builder, arguments, x_at + 1);
    const Expression eta = alpha + predictor(builder, arguments[x_at], arguments[x_at + 2]);
    std::vector<ShapedNode> plain(arguments.begin(),
                                  arguments.begin() + static_cast<std::ptrdiff_t>(x_at));
    plain.push_back(as_vector(eta));
    plain.insert(plain.end(), arguments.begin() + static_cast<std::ptrdiff_t>(x_at) + 3,
                 arguments.end());
    return density(builder, plain);
  };
}

// Entry i of an outcome. A scalar outcome holds for all rows.
ShapedNode entry(GraphBuilder& builder, const ShapedNode& outcome, std::int32_t i) {
  return {builder.element(outcome.node, outcome.size() == 1 ? 0 : i), 1, 1};
}

// ordered_logistic_glm(y | x, beta, cuts), evaluated row by row.
GraphFunction ordered_at_linear_predictor(const GraphFunction& density) {
  return [density](GraphBuilder& builder, Arguments arguments) {
    const Expression eta = predictor(builder, arguments[1], arguments[2]);
    const std::int32_t n = std::max(eta.length(), arguments[0].size());
    Expression total = constant(builder, 0.0);
    for (std::int32_t i = 0; i < n; ++i) {
      const std::array plain = {entry(builder, arguments[0], i), entry(builder, as_vector(eta), i),
                                arguments[3]};
      total = total + total.with(density(builder, plain));
    }
    return total.id;
  };
}

// categorical_logit_glm(y | x, alpha, beta). The logits are row i of x times the matrix beta, plus
// alpha.
GraphFunction categorical_at_linear_predictor(const GraphFunction& density) {
  return [density](GraphBuilder& builder, Arguments arguments) {
    const ShapedNode& x = arguments[1];
    const ShapedNode& beta = arguments[3];
    const Expression alpha = argument(builder, arguments, 2);
    const std::int32_t n = std::max(x.rows, arguments[0].size());
    Expression total = constant(builder, 0.0);
    for (std::int32_t i = 0; i < n; ++i) {
      const Expression row = slice({&builder, x.node}, x.rows == 1 ? 0 : i, x.columns, x.rows);
      // The row times beta equals beta transposed times the row.
      const MatmulShape shape{beta.columns, beta.rows, 1, beta.rows, 1};
      const Expression logits = alpha + row.with(builder.matmul(beta.node, row.id, shape));
      const std::array plain = {entry(builder, arguments[0], i), as_vector(logits)};
      total = total + total.with(density(builder, plain));
    }
    return total.id;
  };
}

const GraphFunction& plain(const FunctionRegistry& registry, std::string_view name) {
  const GraphFunction* found = registry.find(name);
  if (found == nullptr) {
    throw InternalError(kInternal, std::string(name) + " is not registered yet.", "Report this.");
  }
  return *found;
}

}  // namespace

void add_linear_model_family(FunctionRegistry& registry) {
  registry.add("normal_id_glm_lpdf", at_linear_predictor(plain(registry, "normal_lpdf"), 1));
  registry.add("bernoulli_logit_glm_lpmf",
               at_linear_predictor(plain(registry, "bernoulli_logit_lpmf"), 1));
  registry.add("poisson_log_glm_lpmf", at_linear_predictor(plain(registry, "poisson_log_lpmf"), 1));
  registry.add("neg_binomial_2_log_glm_lpmf",
               at_linear_predictor(plain(registry, "neg_binomial_2_log_lpmf"), 1));
  registry.add("binomial_logit_glm_lpmf",
               at_linear_predictor(plain(registry, "binomial_logit_lpmf"), 2));
  registry.add("ordered_logistic_glm_lpmf",
               ordered_at_linear_predictor(plain(registry, "ordered_logistic_lpmf")));
  registry.add("categorical_logit_glm_lpmf",
               categorical_at_linear_predictor(plain(registry, "categorical_logit_lpmf")));
}

}  // namespace dpvi
