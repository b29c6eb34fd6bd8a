#include <gtest/gtest.h>

#include <dpvi/stan/syntax/parser.hpp>
#include <dpvi/stan/types/checker.hpp>
#include <dpvi/stan/types/density_table.hpp>

#include "shared_programs.hpp"

namespace dpvi {
namespace {

// Every density of the table with all its functions; none is called here.
FunctionRegistry every_density() {
  FunctionRegistry registry;
  const auto nothing = [](GraphBuilder& builder, std::span<const ShapedNode>) {
    return builder.constant(0.0);
  };
  for (const DensityRow& row : density_rows()) {
    for (const char* suffix : {"_lpdf", "_lpmf", "_lcdf", "_lccdf"}) {
      registry.add(std::string(row.name) + suffix, nothing);
    }
  }
  return registry;
}

std::string findings_of(const std::string& text,
                        const FunctionRegistry& registry = every_density()) {
  const SourceText source("m.stan", text);
  Findings findings;
  StanProgram program = parse_program(source, findings);
  if (!findings.has_errors()) check_program(program, registry, findings);
  std::string all;
  for (const Finding& finding : findings.list()) {
    if (!all.empty()) all += "\n";
    all += std::to_string(finding.spot.line) + ":" + std::to_string(finding.spot.column) + " " +
           finding.message + (finding.hint.empty() ? "" : " " + finding.hint);
  }
  return all.empty() ? "none" : all;
}

// Puts statements in the model block of a program with variables of every kind; they start in line
// 8.
std::string in_model(const std::string& statements) {
  return findings_of(
      "functions { real f(real x) { return x; }\n"
      "  real foo_lpdf(real y, real m) { return 0; } void g_lp(real x) { target += x; } }\n"
      "data { int N; vector[N] v; row_vector[N] r; matrix[N, N] m; array[N] real ar;\n"
      "  array[N] int ai; array[N] vector[N] av; }\n"
      "parameters { real p; vector[N] w; }\n"
      "transformed parameters { real tp = p; }\n"
      "model {\n" +
      statements + "\n}\n");
}

// Statements that stanc 2.39 accepts.
TEST(StanChecker, AcceptsWhatStanAccepts) {
  for (const char* statement :
       {"vector[N] a = v ^ 2;",
        "array[N] real a = ar;",
        "array[N] real a = -ar;",
        "vector[N] a = 2 .* v; vector[N] b = 1 / v;",
        "real beta = 1; real a = beta(1, 2);",
        "real f = 1; real g = f(f);",
        "real normal = 1;",
        "array[N] real a = ai;",
        "int c = size(v) + num_elements(m) + size(m);",
        "vector[N] x = p > 1 ? v : w;",
        "v ~ normal(0, ar);",
        "av ~ multi_normal(v, m);",
        "real a = foo_lpdf(p | 1); p ~ foo(1);",
        "array[2] vector[2] c = {[1, 2]', [3, 4]'}; matrix[2, 2] d = [[1, 2], [3, 4]];",
        "for (x in m) p ~ normal(x, 1); for (x in v) p ~ normal(x, 1);",
        "vector[N] a = m \\ v; row_vector[N] b = r / m;",
        "matrix[N, N] a = m ^ 2; matrix[N, N] b = m .^ 2; matrix[N, N] c = 2 .^ m;",
        "vector[N] a = m[1:N, 1]; row_vector[N] b = m[1]; vector[N] c = m[ai, 2];",
        "real d = av[1][2] + av[1, 2];",
        "p ~ normal(0, 1) T[0, ]; v ~ normal(0, 1) T[0, ];",
        "real a = log(ai)[1] + exp(av)[1][1];",
        "print(p); reject(\"x\", p);",
        "target += v; target += normal_lupdf(v | 0, 1); target += av;",
        "real x = std_normal_lpdf(p); real y = std_normal_lpdf(p | );",
        "real a = {1, 2, 3}[1]; a = [1, 2, 3][2];",
        "vector[N] a = rep_vector(0, N) + 1; a[1:2] += 1; a[{1, 2}] = v[1:2];",
        "g_lp(p);",
        "array[2, 3] int a; a[1] = {1, 2, 3}; array[2] matrix[2, 2] b; b[1][, 2] = [1, 2]';",
        "real a = v' * m * v; matrix[N, N] b = v * r; real c = r * v;",
        "int a = 7 / 2; a = 7 % 2; a = 7 %/% 2; real b = 7 ^ 2;",
        "{ real q = 1; } { real q = 2; }"}) {
    EXPECT_EQ(in_model(statement), "none") << statement;
  }
}

TEST(StanChecker, RefusesWhatStanRefuses) {
  for (const char* statement : {"array[N] real a = ar .* ar;",
                                "real a = normal_lpdf(p, 0, 1);",
                                "real p = 1;",
                                "vector[N] a = ar;",
                                "real a = v / 2 > 1;",
                                "real a = max(1, 2.5);",
                                "real a = max(v, 2.5);",
                                "real b = mean(av);",
                                "int c = 3 ^ 2;",
                                "if (p) p ~ normal(0, 1);",
                                "av ~ normal(0, 1);",
                                "m ~ normal(0, 1);",
                                "real b = v * 2 \\ 1;",
                                "if (v == v) p ~ normal(0, 1);",
                                "real a = p';",
                                "while (1) { break; } break;",
                                "v = v;",
                                "p = 1;",
                                "tp = 1;",
                                "for (i in 1:3) i = 2;",
                                "real a = v;",
                                "int a = 1.0;",
                                "real a = v + r;",
                                "real a = m[1, 2, 3];",
                                "real a = m[1.5];",
                                "real<lower=0> a;",
                                "real a = f(v);",
                                "real a = undefined_variable;",
                                "f(p);",
                                "return 1;",
                                "int a = normal_rng(0, 1);",
                                "p ~ no_such_distribution(1);",
                                "for (i in p) { }",
                                "vector[2.5] x;",
                                "for (i in 1:2) { } real q = i;"}) {
    EXPECT_NE(in_model(statement), "none") << statement;
  }
}

TEST(StanChecker, MessagesNamePlaceTypesAndNextStep) {
  EXPECT_EQ(in_model("real a = pp;"), "8:10 No variable 'pp' is known here. Did you mean 'p'?");
  EXPECT_EQ(in_model("real a = v + r;"), "8:12 Operator '+' does not take vector and row_vector.");
  EXPECT_EQ(in_model("p ~ nromal(0, 1);"),
            "8:1 No distribution is called 'nromal'. Did you mean 'normal'?");
  EXPECT_EQ(in_model("p ~ normal(m, 1);"),
            "8:1 'normal_lpdf' does not take (real, matrix, int). It takes: reals reals reals.");
  EXPECT_EQ(in_model("real a = lgama(p);"),
            "8:10 No function is called 'lgama'. Did you mean 'lgamma'?");
  EXPECT_EQ(in_model("real a = ode_rk45(p);"),
            "8:10 'ode_rk45' cannot be used. A differential equation would have to be solved for "
            "every record and draw, which is not supported. Write a closed form if there is one.");
  EXPECT_EQ(in_model("p ~ normal_log(0, 1);"),
            "8:1 No distribution is called 'normal_log'. Stan no longer uses this ending. Write "
            "'normal'.");
  EXPECT_EQ(
      in_model("real a = inv_inc_beta(p, p, p);"),
      "8:10 'inv_inc_beta' cannot be used. The inverse of the incomplete beta function is not "
      "supported.");
  EXPECT_EQ(in_model("v[1] = 2;"), "8:1 'v' is data and cannot be assigned to here.");
  EXPECT_EQ(in_model("int q = 2.5;"), "8:9 'q' is int; its value here is real.");
}

TEST(StanChecker, OneMistakeGivesOneMessage) {
  EXPECT_EQ(in_model("real a = exp(pp) + 2 * pp[1];\nreal b = a + 1;"),
            "8:14 No variable 'pp' is known here. Did you mean 'p'?\n"
            "8:24 No variable 'pp' is known here. Did you mean 'p'?");
  EXPECT_EQ(
      findings_of("functions { real g(real t) { return t; } real norm(real t) { return t; } }\n"
                  "model { real a = solve_newton(g, 1.0); }"),
      "2:18 'solve_newton' cannot be used. Algebraic solvers are not supported.");
  // A user-defined function may take the name of an unsupported one, but no function as an
  // argument.
  EXPECT_EQ(
      findings_of("functions { real g(real t) { return t; } real norm(real t) { return t; } }\n"
                  "model { real a = norm(2); real b = norm(g); }"),
      "2:41 No variable 'g' is known here. Did you mean 'a'?");
}

TEST(StanChecker, BlocksAllowWhatStanAllows) {
  EXPECT_EQ(findings_of("parameters { int k; }"),
            "1:14 Parameter 'k' is an int; parameters are real. Sum discrete parameters out of the "
            "density.");
  EXPECT_EQ(findings_of("data { real x; x = 1; }"), "1:16 The data block holds declarations only.");
  EXPECT_EQ(findings_of("transformed parameters { real a = 1; a ~ normal(0, 1); }"),
            "1:38 '~' is allowed in the model block and functions ending in _lp only.");
  EXPECT_EQ(findings_of("generated quantities { real a = normal_rng(0, 1); vector[2] b = [1, 2]'; "
                        "array[2] real c = normal_rng(b, 1); int d = categorical_rng(b); "
                        "vector[2] e = multi_normal_rng(b', identity_matrix(2)); "
                        "array[2] vector[2] g = multi_normal_rng({b, b}, identity_matrix(2)); }"),
            "none");
  EXPECT_EQ(findings_of("model { real x = 1; } generated quantities { real y = x; }"),
            "1:55 No variable 'x' is known here.");
}

TEST(StanChecker, FunctionsMustReturnAndBeDefined) {
  EXPECT_EQ(findings_of("functions { real f(real x) { if (x > 0) return 1; } }"),
            "1:18 'f' can end without returning a value. End it with 'return ...;'.");
  EXPECT_EQ(findings_of("functions { real f(real x); }"),
            "1:18 'f' is declared but never defined.");
  EXPECT_EQ(findings_of("functions { real f(real x); real f(real x) { return x; } }"), "none");
  EXPECT_EQ(findings_of("functions { real f(real x) { return x; } real f(int x) { return x; } "
                        "vector f(vector x) { return f(x[1]) * x; } }"),
            "none");
  EXPECT_EQ(findings_of("functions { int f(real x) { return x; } }"),
            "1:29 'f' returns int; this is real.");
}

TEST(StanChecker, DensityTheRegistryCannotWriteIsRefusedByName) {
  FunctionRegistry registry;
  EXPECT_EQ(findings_of("parameters { real p; } model { p ~ normal(0, 1); }", registry),
            "1:32 'normal_lpdf' is not supported.");
}

TEST(StanChecker, ReferenceProgramsHaveNoFindings) {
  const auto programs = shared_programs();
  if (programs.empty()) GTEST_SKIP() << "reference programs not found; set DPVI_SHARED";
  for (const auto& path : programs) EXPECT_EQ(findings_of(read_text(path)), "none") << path;
}

}  // namespace
}  // namespace dpvi
