#include <gtest/gtest.h>

#include <dpvi/stan/syntax/expression_text.hpp>
#include <dpvi/stan/syntax/parser.hpp>

#include "shared_programs.hpp"

namespace dpvi {
namespace {

struct Parsed {
  explicit Parsed(std::string text)
      : source("m.stan", std::move(text)), program(parse_program(source, findings)) {}
  SourceText source;
  Findings findings;
  StanProgram program;
};

std::string first_finding(const Parsed& parsed) {
  if (parsed.findings.list().empty()) return "none";
  const Finding& first = parsed.findings.list().front();
  return std::to_string(first.spot.line) + ":" + std::to_string(first.spot.column) + " " +
         first.message + (first.hint.empty() ? "" : " " + first.hint);
}

std::string error_of(const std::string& text) { return first_finding(Parsed(text)); }

std::string error_in_model(const std::string& statements) {
  return error_of("model {\n" + statements + "\n}");
}

std::string grouped(const std::string& expression) {
  const Parsed parsed("model { x = " + expression + "; }");
  EXPECT_EQ(first_finding(parsed), "none");
  return to_text(*parsed.program.block(BlockKind::model).statements.at(0)->value);
}

TEST(StanParser, OperatorsBindAsInStan) {
  EXPECT_EQ(grouped("1 + 2 * 3"), "(1 + (2 * 3))");
  EXPECT_EQ(grouped("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(grouped("a / b * c % d"), "(((a / b) * c) % d)");
  EXPECT_EQ(grouped("-a^2"), "(-(a ^ 2))");
  EXPECT_EQ(grouped("a^b^c"), "(a ^ (b ^ c))");
  EXPECT_EQ(grouped("a^-b * c"), "((a ^ (-b)) * c)");
  EXPECT_EQ(grouped("a .^ b .* c"), "((a .^ b) .* c)");
  EXPECT_EQ(grouped("-a'"), "(-a')");
  EXPECT_EQ(grouped("a' * b"), "(a' * b)");
  EXPECT_EQ(grouped("a * b \\ c"), "(a * (b \\ c))");
  EXPECT_EQ(grouped("a * b %/% c"), "(a * (b %/% c))");
  EXPECT_EQ(grouped("-a * b"), "((-a) * b)");
  EXPECT_EQ(grouped("!a == b"), "((!a) == b)");
  EXPECT_EQ(grouped("a < b == c > d"), "((a < b) == (c > d))");
  EXPECT_EQ(grouped("a || b && c"), "(a || (b && c))");
  EXPECT_EQ(grouped("a && b == c + 1"), "(a && (b == (c + 1)))");
  EXPECT_EQ(grouped("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(grouped("a || b ? c : d + 1"), "((a || b) ? c : (d + 1))");
  EXPECT_EQ(grouped("1.*b"), "(1 * b)");
}

TEST(StanParser, IndicesMayBeRangesOfEveryForm) {
  EXPECT_EQ(grouped("x[1, :, a:b, a:, :b, ]"), "x[1, :, a:b, a:, :b, :]");
  EXPECT_EQ(grouped("x[a ? b : c : d]"), "x[(a ? b : c):d]");
  EXPECT_EQ(grouped("f(x)[1]'[2]"), "f(x)[1]'[2]");
  EXPECT_EQ(grouped("-x[1]"), "(-x[1])");
}

TEST(StanParser, CallsLiteralsAndNumbersAreRead) {
  EXPECT_EQ(grouped("normal_lpdf(y | mu, sigma)"), "normal_lpdf(y | mu, sigma)");
  EXPECT_EQ(grouped("f()"), "f()");
  EXPECT_EQ(grouped("{1, 2} + [3, 4]'"), "({1, 2} + [3, 4]')");
  EXPECT_EQ(grouped("{{1}, {2}}"), "{{1}, {2}}");
  EXPECT_EQ(grouped("1e3 + .5 + 2. + 1.5E-2 + 1_000"), "((((1000 + 0.5) + 2) + 0.015) + 1000)");
  EXPECT_EQ(grouped("target()"), "target()");
}

TEST(StanParser, OldAndNewArraySyntaxGiveTheSameTypes) {
  const Parsed parsed(
      "data {\n  int N; # old comment\n  int<lower=0, upper=1> y[N, 2];\n"
      "  array[N, 2] int<lower=0> z;\n  vector<lower=0>[3] v[N];\n  array[N] vector[3] w;\n"
      "  real a, b; real c[N], d;\n}\n"
      "functions_ignored_below_is_an_error {}");
  EXPECT_EQ(first_finding(parsed),
            "9:1 'functions_ignored_below_is_an_error' is not a block of a Stan program.");
  const auto& data = parsed.program.block(BlockKind::data).statements;
  const auto type = [&](std::size_t i) { return to_string(data.at(i)->declaration->type()); };
  ASSERT_EQ(data.size(), 9u);
  EXPECT_EQ(type(1), "array[,] int");
  EXPECT_EQ(type(2), "array[,] int");
  EXPECT_EQ(type(3), "array[] vector");
  EXPECT_EQ(type(4), "array[] vector");
  EXPECT_EQ(type(5), "real");
  EXPECT_EQ(type(7), "array[] real");
  EXPECT_EQ(type(8), "real");
}

TEST(StanParser, EveryKindOfStatementIsRead) {
  const Parsed parsed(R"(
functions {
  real f(real x, array[] int y, data matrix z);
  real f(real x, int[] y, data matrix z) { return x; }
  void g_lp(vector[] v) { if (1) return; target += 1; }
  array[,] real h() { return {{1.0}}; }
}
transformed data { profile("a") { int i = 0; while (i < 3) { i += 1; if (i == 2) continue; else break; } } }
parameters { real<lower=0, upper=1> p; simplex[3] s; cholesky_factor_cov[3] L; real<offset=1, multiplier=2> o; }
model {
  for (n in 1:3) { real x = n; y[n] ~ normal(x, 1) T[0, ]; }
  for (v in {1, 2}) print("v = ", v);
  y ~ normal(0, 1) T[, 3];
  a + b ~ normal(0, 1) T[0, 1];
  x .*= 2; x ./= 2; x -= 1; x /= 1; x[1, 2] *= 3;
  g_lp(v);
  reject("no ", x); fatal_error("no");
  ;
  { ; }
}
generated quantities { int k = binomial_rng(3, 0.5); }
)");
  EXPECT_EQ(first_finding(parsed), "none");
  EXPECT_EQ(parsed.program.functions.size(), 4u);
  EXPECT_EQ(parsed.program.block(BlockKind::model).statements.size(), 14u);
}

TEST(StanParser, ErrorsPointToTheirPlace) {
  EXPECT_EQ(error_in_model("x = 3"), "3:1 Expected ';' after this assignment, found '}'.");
  EXPECT_EQ(error_in_model("y ~ normal(0 1);"), "2:14 Expected ')' or ',', found '1'.");
  EXPECT_EQ(error_in_model("y ~ ;"), "2:5 Expected the name of a distribution, found ';'.");
  EXPECT_EQ(error_in_model("x + 1;"),
            "2:6 Expected '=', '~' or an operator to make this a statement, found ';'.");
  EXPECT_EQ(error_in_model("x + 1 = 2;"),
            "2:3 Only a variable or a part of one can be assigned to.");
  EXPECT_EQ(error_in_model("for (i in 1:3 x = 1;"),
            "2:15 Expected ')' after the loop's range, found 'x'.");
  EXPECT_EQ(error_in_model("if (x) real y;"),
            "2:8 A declaration cannot be the only statement here. Put it in braces, with the "
            "statements that use it.");
  EXPECT_EQ(error_in_model("real for;"),
            "2:6 'for' is a reserved word and cannot be a variable's name.");
  EXPECT_EQ(error_in_model("x = 3 $ 4;"), "2:7 '$' has no meaning in a Stan program.");
  EXPECT_EQ(error_in_model("x = 2i;"),
            "2:5 '2i' is an imaginary number; complex values are not supported.");
  EXPECT_EQ(error_in_model("x = y.1e3;"),
            "2:6 '.1e3' is not a component of a tuple. Components are counted from 1: x.1, x.2.");
  EXPECT_EQ(error_in_model("tuple(real) x;"), "2:1 A tuple has at least two components.");
  EXPECT_EQ(error_in_model("(x, 1) = y;"),
            "2:1 Only a variable or a part of one can be assigned to.");
  EXPECT_EQ(error_of("#include foo.stan\nmodel {}"),
            "1:1 #include is not supported. Paste the included file into the program.");
  EXPECT_EQ(error_of("modle { }"),
            "1:1 'modle' is not a block of a Stan program. Did you mean 'model'?");
  EXPECT_EQ(error_of("model { }\ndata { }"),
            "2:1 The 'data' block must come before the 'model' block.");
  EXPECT_EQ(error_of("data { real<lowr=0> x; }"),
            "1:13 'lowr' is not a constraint of this type, which takes lower, upper, offset, "
            "multiplier. Did you mean 'lower'?");
  EXPECT_EQ(error_of("model { /* never"), "1:9 This comment is never closed; '/*' needs a '*/'.");
  EXPECT_EQ(error_of("model { x = 99999999999; }"),
            "1:13 99999999999 is larger than the largest int, 2147483647. Write it as a real, e.g. "
            "with '.0' at its end.");
}

TEST(StanParser, OneMistakeCostsOneStatement) {
  const Parsed parsed(
      "data {\n  int N\n  real x;\n  real 3y;\n  vector[N z;\n}\nmodel {\n  x ~ ;\n}\n");
  std::vector<std::uint32_t> lines;
  for (const Finding& finding : parsed.findings.list()) lines.push_back(finding.spot.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{4, 3, 4, 5, 8}));
}

TEST(StanParser, NoMoreErrorsThanTheCapAreReported) {
  std::string text = "model {\n";
  for (int i = 0; i < 1000; ++i) text += "x = ;\n";
  const Parsed parsed(text + "}");
  EXPECT_EQ(parsed.findings.list().size(), static_cast<std::size_t>(Findings::kMaxErrors));
}

TEST(StanParser, MessageShowsTheLineAndACaret) {
  const Parsed parsed("model {\n  x = 3 +;\n}");
  EXPECT_EQ(render(parsed.findings.list().at(0), parsed.source),
            "error[DP201] m.stan:2:10: Expected an expression, found ';'.\n    x = 3 +;\n"
            "           ^");
}

TEST(StanParser, DeepNestingIsRefusedWithoutCrashing) {
  const std::string deep(200000, '(');
  EXPECT_EQ(error_in_model("x = " + deep + ";").substr(0, 45),
            "2:255 The program is nested more than 500 dee");
  for (const std::string& part : {std::string("{"), std::string("if(1)"), std::string("-"),
                                  std::string("["), std::string("f("), std::string("x[")}) {
    std::string text = part == "{" || part == "if(1)" ? "" : "x = ";
    for (int i = 0; i < 100000; ++i) text += part;
    EXPECT_NE(error_in_model(text), "none") << part;
  }
}

TEST(StanParser, LongSumsAreReadUpToALimit) {
  const auto sum = [](int terms) {
    std::string text = "x = 1";
    for (int i = 1; i < terms; ++i) text += " + 1";
    return text + ";";
  };
  EXPECT_EQ(error_in_model(sum(1400)), "none");
  EXPECT_NE(error_in_model(sum(500000)), "none");
}

TEST(StanParser, ReferenceProgramsAreRead) {
  const auto programs = shared_programs();
  if (programs.empty()) GTEST_SKIP() << "reference programs not found; set DPVI_SHARED";
  for (const auto& path : programs) {
    EXPECT_EQ(error_of(read_text(path)), "none") << path;
  }
}

}  // namespace
}  // namespace dpvi
