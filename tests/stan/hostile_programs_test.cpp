#include "model_reading.hpp"

// Programs that would exhaust time or memory without limits, run at the default limits.
namespace dpvi {
namespace {

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

std::string code_of(const std::string& text) {
  ReadModel read(text);
  try {
    read.build();
    read.factorises();
    throw_if_errors(read.checked.findings, read.checked.source);
  } catch (const InputError& error) {
    return std::string(error.code().id);
  }
  return "none";
}

const std::string kHead = "data { int N; vector[N] y; } parameters { real m; } model {\n";

TEST(HostilePrograms, DeepNestingIsRefused) {
  constexpr int kDeep = 10'000;
  for (const auto& [before, after] :
       std::vector<std::pair<std::string, std::string>>{{"(", ")"},
                                                        {"exp(", ")"},
                                                        {"-", ""},
                                                        {"- ", ""},
                                                        {"!", ""},
                                                        {"m ^ ", ""},
                                                        {"m > 0 ? m : ", ""},
                                                        {"m > 0 ? ", " : m"},
                                                        {"sum([", "])"},
                                                        {"sum({", "})"}}) {
    const std::string text =
        kHead + "target += " + repeated(before, kDeep) + "m" + repeated(after, kDeep) + "; }";
    EXPECT_NE(code_of(text), "none") << before;
  }
  EXPECT_NE(code_of(kHead + repeated("{", kDeep) + repeated("}", kDeep) + "}"), "none");
  EXPECT_NE(code_of(kHead + repeated("if (m > 0) ", kDeep) + "target += m; }"), "none");
  EXPECT_NE(code_of(kHead + repeated("for (i in 1:1) ", kDeep) + "target += m; }"), "none");
  EXPECT_NE(code_of(kHead + "if (m > 0) target += m; " +
                    repeated("else if (m > 1) target += m; ", kDeep) + "}"),
            "none");
  EXPECT_NE(code_of(kHead + "target += m" + repeated("[1]", kDeep) + "; }"), "none");
}

TEST(HostilePrograms, FunctionsThatCallOneAnotherTwiceAreStopped) {
  std::string functions = "functions { real f0(real x) { return x * x; }\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string inner = "f" + std::to_string(i - 1);
    functions += "real f" + std::to_string(i) + "(real x) { return " + inner + "(x) + " + inner +
                 "(x + 1); }\n";
  }
  EXPECT_EQ(code_of(functions + "}\n" + kHead + "target += f60(m); }"), "DP208");
}

TEST(HostilePrograms, LargeMatrixAlgebraIsStoppedBeforeItIsWrittenDown) {
  const std::string data = "data { int N; vector[N] y; }\n";
  for (const char* rest : {
           "parameters { matrix[300, 300] a; } model { target += sum(inverse(a)); }",
           "parameters { matrix[300, 300] a; } model { target += log_determinant(a * a'); }",
           "parameters { matrix[400, 400] a; } model { target += sum(matrix_exp(a)); }",
           "parameters { cov_matrix[500] a; } model { y ~ normal(a[1, 1], 1); }",
           "parameters { corr_matrix[600] a; } model { a ~ lkj_corr(2); y ~ normal(a[1, 2], 1); }",
       }) {
    EXPECT_EQ(code_of(data + rest), "DP208") << rest;
  }
}

TEST(HostilePrograms, WhatARecordWouldTakeInMemoryIsBounded) {
  EXPECT_EQ(code_of("data { int N; vector[N] y; } parameters { vector[600000] m; } model {\n"
                    "for (n in 1:N) target += sum(exp(m * y[n])); }"),
            "DP208");
}

TEST(HostilePrograms, LoopsWithoutEndAndHugeSizesAreStopped) {
  for (const char* model : {
           "while (1) { } }",
           "while (m < 1) ; }",
           "for (i in 1:1000000000) { } }",
           "for (i in 1:1000000000) for (j in 1:1000000000) target += m * i; }",
           "array[1000000, 1000000, 1000000] real a; }",
           "vector[9223372036854775807] a; }",
           "for (i in -9000000000000000000:9000000000000000000) target += m; }",
           "real a = 1; for (n in 1:N) for (i in 1:2000000) a = a * y[n] + m; target += a; }",
       }) {
    EXPECT_NE(code_of(kHead + model), "none") << model;
  }
}

TEST(HostilePrograms, TextThatIsNoTextIsRefused) {
  const std::string nul("real x\0y = 1; }", 15);
  EXPECT_NE(code_of(kHead + nul), "none");
  EXPECT_NE(code_of(kHead + "real \xff\xfe = 1; }"), "none");
  EXPECT_NE(code_of(kHead + "print(\"never closed); }"), "none");
  EXPECT_NE(code_of(kHead + "/* never closed }"), "none");
  EXPECT_NE(code_of(kHead + "target += " + std::string(100'000, '9') + "; }"), "none");
}

TEST(HostilePrograms, TenMegabytesAreRefused) {
  constexpr std::size_t kMany = 10'000'000;
  EXPECT_EQ(code_of(std::string(kMany, 'x')), "DP208");
  EXPECT_EQ(code_of(std::string(kMany, '(')), "DP208");
  EXPECT_EQ(code_of("//" + std::string(kMany, 'a') + "\n" + kHead + "y ~ normal(m, 1); }"),
            "DP208");
  EXPECT_EQ(code_of(kHead + "y ~ normal(m, 1); }" + std::string(kMany, ' ')), "DP208");
}

}  // namespace
}  // namespace dpvi
