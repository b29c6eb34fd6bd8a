#include <cmath>
#include <numbers>

#include "model_reading.hpp"

namespace dpvi {
namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

double normal_lpdf(double y, double mu, double sigma) {
  const double z = (y - mu) / sigma;
  return -0.5 * z * z - std::log(sigma) - 0.5 * kLogTwoPi;
}

// Value of an expression over parameters p = 0.5, w = (1, 2, 3), M = [1 3 5; 2 4 6] and known ints.
double value_of(const std::string& expression, const std::string& before = "",
                const std::string& functions = "") {
  ReadModel read("functions {" + functions +
                     "}\ndata { int N; int three; array[3] int ints; }\n"
                     "parameters { real p; vector[3] w; matrix[2, 3] M; }\n"
                     "model {" +
                     before + "\ntarget += " + expression + "; }",
                 {.known = {{"three", known_scalar(3)}, {"ints", known_list({3, 1, 2})}}});
  const StanModel model = read.build();
  const std::vector<double> theta = {0.5, 1, 2, 3, 1, 2, 3, 4, 5, 6};
  return reference_values(*model.graph, model.prior, theta).at(0);
}

TEST(StanExecution, OperatorsComputeWhatStanComputes) {
  EXPECT_DOUBLE_EQ(value_of("1 / 2"), 0);
  EXPECT_DOUBLE_EQ(value_of("-7 / 2"), -3);
  EXPECT_DOUBLE_EQ(value_of("-7 % 3"), -1);
  EXPECT_DOUBLE_EQ(value_of("7 %/% 2"), 3);
  EXPECT_DOUBLE_EQ(value_of("1 / 2.0"), 0.5);
  EXPECT_DOUBLE_EQ(value_of("1 / p"), 2);
  EXPECT_DOUBLE_EQ(value_of("x / 2", "real x = 1;"), 0.5);
  EXPECT_DOUBLE_EQ(value_of("-2^2 + 2^3^2"), 508);
  EXPECT_DOUBLE_EQ(value_of("M * w"), (1 + 6 + 15) + (2 + 8 + 18));
  EXPECT_DOUBLE_EQ(value_of("[1, 2] * M * w"), 22 + 2 * 28);
  EXPECT_DOUBLE_EQ(value_of("(M * M')[1, 2]"), 2 + 12 + 30);
  EXPECT_DOUBLE_EQ(value_of("(w * w')[3, 2]"), 6);
  EXPECT_DOUBLE_EQ(value_of("w' * w"), 14);
  EXPECT_DOUBLE_EQ(value_of("w .* w ./ w .^ 2"), 3);
  EXPECT_DOUBLE_EQ(value_of("2 ./ w"), 2 + 1 + 2.0 / 3);
  EXPECT_DOUBLE_EQ(value_of("p > 0.4 && p < 0.6 ? 10 : 20"), 10);
  EXPECT_DOUBLE_EQ(value_of("!(p > 0.4)"), 0);
  EXPECT_DOUBLE_EQ(value_of("([[2, 1], [1, 3]] \\ [3, 5]')[2]"), 1.4);
  EXPECT_DOUBLE_EQ(value_of("([3, 5] / [[2, 1], [1, 3]])[1]"), 0.8);
}

TEST(StanExecution, MatricesThatStanRefusesHaveNoValue) {
  const auto fails = [](const std::string& expression) {
    EXPECT_THROW(value_of(expression), InputError) << expression;
  };
  const auto has_no_value = [](const std::string& expression) {
    EXPECT_TRUE(std::isnan(value_of(expression))) << expression;
  };
  for (const std::string call :
       {"quad_form_sym({}, [0, 1]')", "sum(quad_form_sym({}, [[0], [1]]))",
        "cholesky_decompose({})[1, 1]", "log_determinant_spd({})", "inverse_spd({})[1, 2]",
        "mdivide_left_spd({}, [0, 1]')[1]", "mdivide_right_spd([0, 1], {})[1]"}) {
    const auto with = [&](const std::string& matrix) {
      return std::string(call).replace(call.find("{}"), 2, matrix);
    };
    fails(with("[[4, 2], [2.1, 5]]"));
    fails(with("[[4, 2], [2.1, 5 + p]]"));
    has_no_value(with("[[4, 2], [2 + p, 5]]"));
    EXPECT_TRUE(std::isfinite(value_of(with("[[4, 2], [2, 5 + p]]")))) << call;
    EXPECT_TRUE(std::isfinite(value_of(with("[[4, 2], [2 + p * 1e-9, 5]]")))) << call;
  }
  has_no_value("cholesky_decompose([[4, 2 * p], [2 * p, 0.25]])[2, 2]");  // its rank is 1
  fails("chol2inv([[1, 0.5], [1, 1]])[1, 1]");
  has_no_value("chol2inv([[1, p], [1, 1]])[1, 1]");
}

TEST(StanExecution, FunctionsAreStansAtTheirEdges) {
  const std::string nan = "not_a_number()";
  const std::string inf = "positive_infinity()";
  EXPECT_DOUBLE_EQ(value_of("fmin(p, " + nan + ") + fmax(" + nan + ", p)"), 1);
  EXPECT_TRUE(std::isnan(value_of("fmin(p + " + nan + ", " + nan + ")")));
  EXPECT_DOUBLE_EQ(value_of("sum(fmax(w, 2.0)) + sum(fmin([" + nan + ", 9], p))"), 8);
  EXPECT_DOUBLE_EQ(value_of("step(p + " + nan + ") + step(p) + step(-p) + step(0 * p)"), 3);
  EXPECT_DOUBLE_EQ(value_of("fdim(" + inf + ", " + inf + ") + fdim(2, p)"), 1.5);
  EXPECT_DOUBLE_EQ(value_of("lchoose(-1, 0) + lchoose(" + inf + ", 0) + p"), 0.5);
  EXPECT_NEAR(value_of("beta(-3.7, 2 * p)"), 0.2702702702702703, 1e-14);
  EXPECT_TRUE(std::isnan(value_of("log_rising_factorial(-3.7 + p, 2)")));
  EXPECT_TRUE(std::isnan(value_of("log_falling_factorial(-p, 2)")));
  EXPECT_NEAR(value_of("log_rising_factorial(p, 2)"), std::log(0.75), 1e-14);
  EXPECT_NEAR(value_of("tgamma(-p)"), -2 * std::sqrt(std::numbers::pi), 1e-13);
}

TEST(StanExecution, TuplesHoldWhatIsPutIntoThem) {
  const std::string functions =
      "tuple(real, int) f(real a) { if (a > 0.4) { return (a, 2); } return (0, 1); }"
      "real g(tuple(real, real) t) { return 10 * t.1 + t.2; }"
      "array[] tuple(int, vector) h(vector v) { return {(1, v), (2, 2 * v)}; }";
  const auto value = [&](const std::string& expression, const std::string& before = "") {
    return value_of(expression, before, functions);
  };
  EXPECT_DOUBLE_EQ(value("f(p).1 + f(p).2"), 2.5);
  EXPECT_DOUBLE_EQ(value("f(p - 0.3).1 + f(p - 0.3).2"), 1);
  EXPECT_DOUBLE_EQ(value("g((p, 3))"), 8);
  EXPECT_DOUBLE_EQ(value("g(f(p))"), 7);  // the int is promoted to real
  EXPECT_DOUBLE_EQ(value("b + c", "real b; real c; (b, c) = f(p);"), 2.5);
  EXPECT_DOUBLE_EQ(
      value("10 * b[2] + b[1]", "vector[2] b; vector[2] c; (b[2], c[1]) = (p, w[3]); b[1] = c[1];"),
      8);
  EXPECT_DOUBLE_EQ(value("t.1 - t.2", "tuple(real, real) t; (t.2, t.1) = (p, 3);"), 2.5);
  EXPECT_DOUBLE_EQ(value("t.2.1", "tuple(int, tuple(real, int)) t = (1, f(p));"), 0.5);
  EXPECT_DOUBLE_EQ(value("t.2.1", "tuple(int, tuple(real, int)) t = (1, f(p)); t.2.1 *= 4;"), 2);
  EXPECT_DOUBLE_EQ(value("h(w)[2].2[3] + h(w)[1].1"), 7);
  EXPECT_DOUBLE_EQ(value("s", "real s = 0; for (one in h(w)) s += one.1 * one.2[1];"), 5);
  EXPECT_DOUBLE_EQ(value("a[2].2[1]", "array[2] tuple(int, vector[3]) a = h(w); a[2].2[1] = p;"),
                   0.5);
  EXPECT_DOUBLE_EQ(value("a[{2, 1}][1].2[1]", "array[2] tuple(int, vector[3]) a = h(w);"), 2);
  EXPECT_DOUBLE_EQ(value("t.1", "tuple(real, int) t; if (p > 1) t = (3, 1); else t = (p, 2);"),
                   0.5);
  EXPECT_DOUBLE_EQ(value("(p > 1 ? (1.0, p) : (w[2], p)).1"), 2);
  EXPECT_DOUBLE_EQ(value("a + b", "real a = 1; real b = 2; (a, b) = (b, 10 * a);"), 12);
}

TEST(StanExecution, IndicesReachTheRightEntries) {
  EXPECT_DOUBLE_EQ(value_of("M[2, 3]"), 6);
  EXPECT_DOUBLE_EQ(value_of("M[2]"), 2 + 4 + 6);
  EXPECT_DOUBLE_EQ(value_of("M[, 2]"), 3 + 4);
  EXPECT_DOUBLE_EQ(value_of("M[1, 2:3]"), 3 + 5);
  EXPECT_DOUBLE_EQ(value_of("M[:, {3, 1}] * [10, 1]'"), 51 + 62);
  EXPECT_DOUBLE_EQ(value_of("w[ints]' * [100, 10, 1]'"), 312);
  EXPECT_DOUBLE_EQ(value_of("w[2:]"), 5);
  EXPECT_DOUBLE_EQ(value_of("w[:2]"), 3);
  EXPECT_DOUBLE_EQ(value_of("sum(w[3:2])"), 0);
  EXPECT_DOUBLE_EQ(
      value_of("a[2][1, 2]", "array[2] matrix[2, 2] a = {[[1, 2], [3, 4]], [[5, 6], [7, 8]]};"), 6);
  EXPECT_DOUBLE_EQ(value_of("a[, 2, 1][1] + 10 * a[, 2, 1][2]",
                            "array[2] matrix[2, 2] a = {[[1, 2], [3, 4]], [[5, 6], [7, 8]]};"),
                   73);
  EXPECT_DOUBLE_EQ(value_of("b[:, 2][2]", "array[2] vector[2] b = {[1, 2]', [3, 4]'};"), 4);
}

TEST(StanExecution, AssignmentsChangeWhatTheyName) {
  EXPECT_DOUBLE_EQ(
      value_of("x[1] * 100 + x[2] * 10 + x[3]", "vector[3] x = w; x[2] = 7; x[3] += 1; x[1] *= 5;"),
      574);
  EXPECT_DOUBLE_EQ(value_of("x[1, 2] * 10 + x[2, 1]",
                            "matrix[2, 2] x = rep_matrix(0, 2, 2); x[1, 2] = 3; x[2][1] = 4;"),
                   34);
  EXPECT_DOUBLE_EQ(value_of("x",
                            "vector[3] x = rep_vector(0, 3); x[2:3] = [5, 6]'; x[{1}] = "
                            "[1]';"),
                   12);
  EXPECT_DOUBLE_EQ(value_of("x[1][2] + y[1][2]",
                            "array[2] vector[2] x = {[1, 2]', [3, 4]'}; array[2] vector[2] y = x; "
                            "x[1, 2] = 10;"),
                   12);
}

TEST(StanExecution, LoopsAndBranchesRun) {
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 0; for (i in 1:three) s += i * w[i];"), 14);
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 0; for (x in w) s += x; for (i in ints) s += i;"), 12);
  EXPECT_DOUBLE_EQ(value_of("s", "int s = 0; while (s < 7) s += 2;"), 8);
  EXPECT_DOUBLE_EQ(value_of("s",
                            "int s = 0; for (i in 1:9) { if (i == 2) continue; if (i == 5) "
                            "break; s += i; }"),
                   8);
  EXPECT_DOUBLE_EQ(value_of("s", "int s = 0; if (three == 3) s = 1; else s = 2;"), 1);
}

// A condition on a parameter is unknown while the graph is built.
TEST(StanExecution, UnknownConditionsBlendBothBranches) {
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 1; if (p > 0) s = 5; else s = 7;"), 5);
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 1; if (p > 9) s = 5;"), 1);
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 0; for (i in 1:9) { if (w[1] < i) break; s += i; }"), 1);
  EXPECT_DOUBLE_EQ(value_of("s", "real s = 0; for (i in 1:4) { if (w[2] == i) continue; s += i; }"),
                   8);
  EXPECT_DOUBLE_EQ(value_of("s",
                            "real s = 0; for (i in 1:4) { if (w[2] == i) { s += 100; continue; } "
                            "if (w[3] == i) break; s += i; } s += 1000;"),
                   1101);
  EXPECT_DOUBLE_EQ(value_of("f(p)", "",
                            "real f(real x) { if (x > 1) return 1; if (x > 0.4) { if (x > 0.6) "
                            "return 2; return 3; } return 4; }"),
                   3);
  EXPECT_DOUBLE_EQ(value_of("f(p)", "",
                            "real f(real x) { for (i in 1:3) { if (x < i) return 10 * i; } "
                            "return 99; }"),
                   10);
  EXPECT_DOUBLE_EQ(value_of("1", "if (p > 0) target += 10; else target += 100;"), 11);
  EXPECT_DOUBLE_EQ(value_of("x[2]", "vector[3] x = w; x[p > 0 ? 2 : 1] = 9;"), 9);
  EXPECT_DOUBLE_EQ(value_of("w[p > 0 ? 3 : 1]"), 3);
}

TEST(StanExecution, FunctionsTakeArgumentsByValue) {
  EXPECT_DOUBLE_EQ(value_of("f(5)", "", "real f(int n); real f(int n) { return n * 2; }"), 10);
  EXPECT_DOUBLE_EQ(value_of("f(w) + f(2)", "",
                            "real f(vector x) { vector[2] y = x[1:2]; y[1] = 10; return sum(y); } "
                            "real f(real x) { return x; }"),
                   14);
  EXPECT_DOUBLE_EQ(value_of("1", "g_lp(p);", "void g_lp(real x) { target += 10 * x; }"), 6);
  EXPECT_DOUBLE_EQ(value_of("half(3)", "", "real half(real x) { return x / 2; }"), 1.5);
}

TEST(StanExecution, FunctionsOfNumbersAreRight) {
  EXPECT_NEAR(value_of("lchoose(5, 2)"), std::log(10), 1e-12);
  EXPECT_DOUBLE_EQ(value_of("choose(5, 2)"), 10);
  EXPECT_NEAR(value_of("lbeta(p, 2)"), std::lgamma(0.5) + std::lgamma(2) - std::lgamma(2.5), 1e-12);
  EXPECT_NEAR(value_of("log_sum_exp(p, 1)"), std::log(std::exp(0.5) + std::exp(1)), 1e-12);
  EXPECT_NEAR(value_of("log_sum_exp(w)"), std::log(std::exp(1) + std::exp(2) + std::exp(3)), 1e-12);
  EXPECT_NEAR(value_of("log_diff_exp(1, p)"), std::log(std::exp(1) - std::exp(0.5)), 1e-12);
  EXPECT_NEAR(value_of("log_mix(0.3, p, 1)"), std::log(0.3 * std::exp(0.5) + 0.7 * std::exp(1)),
              1e-12);
  EXPECT_NEAR(value_of("log_mix([0.3, 0.7]', [p, 1]')"),
              std::log(0.3 * std::exp(0.5) + 0.7 * std::exp(1)), 1e-12);
  EXPECT_NEAR(value_of("inv_cloglog(p)"), 1 - std::exp(-std::exp(0.5)), 1e-12);
  EXPECT_NEAR(value_of("log1m_inv_logit(p)"), std::log(1 - 1 / (1 + std::exp(-0.5))), 1e-12);
  EXPECT_NEAR(value_of("erf(p) + erfc(p)"), 1, 1e-12);
  EXPECT_NEAR(value_of("asinh(-p) + acosh(2) + atanh(p)"),
              std::asinh(-0.5) + std::acosh(2) + std::atanh(0.5), 1e-12);
  EXPECT_NEAR(value_of("cbrt(-8.0 * p * 2)"), -2, 1e-12);
  EXPECT_NEAR(value_of("log2(8) + log2() + log10(p) + log10()"),
              3 + std::log(2) + std::log10(0.5) + std::log(10), 1e-12);
  EXPECT_NEAR(value_of("pi() + e() + sqrt2()"), std::numbers::pi + std::numbers::e + std::sqrt(2),
              1e-15);
  EXPECT_DOUBLE_EQ(value_of("fmin(p, 1) + fmax(p, 1) + fdim(1, p) + fma(2, p, 3)"), 6);
  EXPECT_DOUBLE_EQ(value_of("max(ints) * 10 + min(ints) + max(2, 7)"), 38);
  EXPECT_DOUBLE_EQ(value_of("abs(-3) / 2"), 1);
  EXPECT_NEAR(value_of("lmultiply(0, 0) + lmultiply(2, p)"), 2 * std::log(0.5), 1e-15);
  EXPECT_NEAR(value_of("multiply_log(2, p)"), 2 * std::log(0.5), 1e-15);
  EXPECT_NEAR(value_of("binomial_coefficient_log(5, 2)"), std::log(10.0), 1e-14);
}

TEST(StanExecution, FunctionsOfContainersAreRight) {
  EXPECT_DOUBLE_EQ(value_of("mean(w) * 10 + variance(w) + sd(w)"), 22);
  EXPECT_DOUBLE_EQ(value_of("prod(w) + dot_self(w) + norm1(w) + sum(M)"), 6 + 14 + 6 + 21);
  EXPECT_NEAR(value_of("softmax(w)[3]"), std::exp(3) / (std::exp(1) + std::exp(2) + std::exp(3)),
              1e-12);
  EXPECT_DOUBLE_EQ(value_of("cumulative_sum(w)[3] + cumulative_sum(ints)[2]"), 10);
  EXPECT_DOUBLE_EQ(value_of("to_vector(M)[3] + to_row_vector(M)[6] + to_array_1d(M)[2]"), 11);
  EXPECT_DOUBLE_EQ(value_of("to_matrix(w, 1, 3)[1, 2] + to_matrix({{1, 2}, {3, 4}})[1, 2]"), 4);
  EXPECT_DOUBLE_EQ(value_of("to_matrix(to_vector(M), 3, 2, 0)[1, 2]"), 2);
  EXPECT_DOUBLE_EQ(value_of("append_row(M, [7, 8, 9])[3, 2] + append_col(M, [7, 8]')[2, 4]"), 16);
  EXPECT_DOUBLE_EQ(value_of("append_row(w, p)[4] + append_col(1, w')[2]"), 1.5);
  EXPECT_DOUBLE_EQ(value_of("head(w, 2)[2] + tail(w, 2)[1] + segment(w, 2, 2)[2]"), 7);
  EXPECT_DOUBLE_EQ(value_of("row(M, 2)[3] + col(M, 2)[1] + block(M, 1, 2, 2, 2)[2, 2]"), 15);
  EXPECT_DOUBLE_EQ(value_of("reverse(w)[1] + sort_desc(ints)[1] + sort_indices_asc(ints)[1]"), 8);
  EXPECT_DOUBLE_EQ(value_of("rep_array(w, 2)[2][3] + rep_matrix(w', 2)[2, 1]"), 4);
  EXPECT_DOUBLE_EQ(value_of("rows(M) + 10 * cols(M) + 100 * size(ints) + dims(M)[2]"), 335);
  EXPECT_DOUBLE_EQ(value_of("diag_pre_multiply([2, 3]', M)[2, 1] + diag_post_multiply(M, w)[1, 3]"),
                   21);
  EXPECT_DOUBLE_EQ(value_of("tcrossprod(M)[1, 1] + crossprod(M)[1, 1] + trace(crossprod(M))"),
                   35 + 5 + 91);
  EXPECT_NEAR(value_of("cholesky_decompose([[4, 2], [2, 5]])[2, 1]"), 1, 1e-15);
  EXPECT_NEAR(value_of("inverse([[4, 2], [2, 5]])[1, 1] + inverse_spd([[4, 2], [2, 5]])[1, 2]"),
              5.0 / 16 - 2.0 / 16, 1e-15);
  EXPECT_NEAR(value_of("log_determinant([[4, 2], [2, 5]]) + determinant([[0, 1], [1, 0]])"),
              std::log(16) - 1, 1e-14);
  EXPECT_NEAR(value_of("mdivide_left_tri_low([[2, 0], [1, 4]], [2, 9]')[2]"), 2, 1e-15);
  EXPECT_DOUBLE_EQ(value_of("quad_form(crossprod(M), w) + quad_form_diag([[1, 2], [2, 1]], [2, "
                            "3]')[1, 2]"),
                   22 * 22 + 28 * 28 + 12);
  EXPECT_DOUBLE_EQ(value_of("transpose(M)[3, 2] + elt_multiply(w, w)[3]"), 15);
  EXPECT_DOUBLE_EQ(value_of("linspaced_vector(3, 0, 1)[2] + one_hot_vector(3, 2)[2]"), 1.5);
}

TEST(StanExecution, TruncationDividesByTheProbabilityOfTheRegion) {
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_NEAR(value_of("0", "p ~ normal(0, 1) T[0, ];"), normal_lpdf(0.5, 0, 1) - std::log(0.5),
              1e-12);
  EXPECT_NEAR(value_of("0", "w ~ normal(0, 1) T[0, 4];"),
              normal_lpdf(1, 0, 1) + normal_lpdf(2, 0, 1) + normal_lpdf(3, 0, 1) -
                  3 * std::log(phi(4) - phi(0)),
              1e-10);
  EXPECT_EQ(value_of("0", "p ~ normal(0, 1) T[1, ];"), -std::numeric_limits<double>::infinity());
}

TEST(StanExecution, AnArrayLiteralMayBeObserved) {
  const double both = std::log(0.5) + std::log(0.5);
  EXPECT_DOUBLE_EQ(value_of("0", "{1, 0} ~ bernoulli(p);"), both);
  EXPECT_DOUBLE_EQ(value_of("0", "if (p > 0) {1, 0} ~ bernoulli(p); { }"), both);
}

TEST(StanExecution, TailsOfKnownArgumentsAreComputed) {
  EXPECT_NEAR(value_of("student_t_lccdf(0 | 3, 0, 10) + gamma_cdf(2 | 1, 1.5)"),
              std::log(0.5) + 1 - std::exp(-3), 1e-12);
  EXPECT_NEAR(value_of("poisson_lcdf(1 | 2.0)"), std::log(3) - 2, 1e-12);
}

}  // namespace
}  // namespace dpvi
