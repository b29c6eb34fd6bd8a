#include <array>
#include <random>

#include "model_reading.hpp"
#include "shared_programs.hpp"

// Reading any text ends with a model or with findings, never with a crash or a hang. Limits are set
// low so that programs that still run stop soon.
namespace dpvi {
namespace {

constexpr const char* kPrograms[] = {
    R"(functions {
  real f(real x, array[] int k) { if (x > 0) return k[1]; else return x; }
  vector g_lp(vector v) { v[1] ~ normal(0, 1); return v; }
}
data { int<lower=0> N; int K; array[N] int<lower=0, upper=1> y; matrix[N, 2] x; }
transformed data { vector[N] z = x[, 1] - 2; array[3] int a = {1, 2, 3}; }
parameters { vector<lower=0>[3] b; simplex[3] s; real<offset=1, multiplier=2> o; }
transformed parameters { real t = b[1] * o; }
model {
  b ~ normal(0, 1); target += dirichlet_lpdf(s | rep_vector(1, 3));
  for (n in 1:N) { if (y[n] == 1) target += f(x[n, 1], a) * t; else y[n] ~ bernoulli(0.5); }
  o ~ normal(0, 1) T[-1, 1];
}
generated quantities { real q = t ^ 2; array[2] real r = {q, -q}; }
)",
    R"(data { int N; real y[N]; int g[N]; } # old syntax
parameters { real mu; real<lower=0> sigma; vector[2] u[3]; }
model {
  real m[2];
  m[1] = mu; m[2] <- 3; increment_log_prob(normal_log(mu, 0, m[2])); lp__ <- lp__ - sigma;
  for (i in 1:N) y[i] ~ normal(m[1] + u[2][1], sigma);
  while (m[1] < 0) { break; }
}
)"};

constexpr std::array<const char*, 42> kPieces = {
    "(",      ")",     "[",      "]",      "{",      "}",        ";",  ",",     "|",
    "~",      "=",     "+=",     "'",      "^",      ":",        "?",  "1e999", "99999999",
    "-1",     "0",     "N",      "x",      "for",    "while(1)", "if", "else",  "real",
    "vector", "array", "int",    "<-",     "lp__",   "T[",       "\"", "/*",    "//",
    "target", "\xff",  "normal", "[N, N]", "return", "<lower=0>"};

std::string damaged(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t edits = 1 + below(4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 3:
        text[at] = static_cast<char>(random());
        break;
      default:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
    }
  }
  return text;
}

void read_through(const std::string& text) {
  StanModelOptions options;
  options.known["K"] = known_scalar(2);
  options.limits.steps = 20'000;
  ReadModel read(text, options);
  for (const Finding& finding : read.checked.findings.list()) {
    EXPECT_FALSE(render(finding, read.checked.source).empty());
  }
  try {
    const StanModel model = read.build();
    read.factorises();
  } catch (const InputError&) {
  }
}

TEST(DamagedPrograms, EveryTruncationIsReadThrough) {
  for (const char* program : kPrograms) {
    const std::string text = program;
    for (std::size_t length = 0; length <= text.size(); ++length) {
      read_through(text.substr(0, length));
    }
  }
}

TEST(DamagedPrograms, RandomDamageIsReadThrough) {
  std::mt19937_64 random(20260711);
  const int rounds = std::getenv("DPVI_SLOW") != nullptr ? 200'000 : 4'000;
  for (int i = 0; i < rounds; ++i) read_through(damaged(kPrograms[i % 2], random));
}

TEST(DamagedPrograms, RandomDamageOfReferenceProgramsIsReadThrough) {
  const auto programs = shared_programs();
  if (programs.empty()) GTEST_SKIP() << "reference programs not found; set DPVI_SHARED";
  std::mt19937_64 random(20260712);
  for (const auto& path : programs) {
    const std::string text = read_text(path);
    for (int i = 0; i < 60; ++i) read_through(damaged(text, random));
  }
}

TEST(DamagedPrograms, NoiseIsReadThrough) {
  std::mt19937_64 random(20260713);
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    for (int k = 0; k < 60; ++k) {
      text += kPieces[random() % kPieces.size()];
      text += ' ';
    }
    read_through(text);
    read_through("data { int N; } parameters { real x; } model {" + text + "}");
  }
}

TEST(DamagedPrograms, HostileShapesEndSoon) {
  const auto repeated = [](const std::string& piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  const std::string head = "data { int N; } parameters { real m; } model {";
  read_through(head + "target += " + repeated("(", 100'000) + "m" + repeated(")", 100'000) + ";}");
  read_through(head + "target += " + repeated("-", 400) + "m;}");
  read_through(head + "target += " + repeated("m + ", 1'400) + "m;}");
  read_through(head + repeated("{", 400) + "target += m;" + repeated("}", 401));
  read_through(head + repeated("if (m > 0) ", 400) + "target += m;}");
  read_through(head + repeated("for (i in 1:1000000) ", 3) + "target += m;}");
  read_through(head + repeated("if (m > 0) target += m; else ", 400) + "target += 1;}");
  read_through(repeated("data {", 5'000));
  read_through(head + "real " + repeated("a", 100'000) + "; a = 1;}");
  read_through(head + "target += " + repeated("m[1]", 300) + repeated("[1]", 300) + ";}");
  read_through(head + "matrix[2000, 2000] a = rep_matrix(m, 2000, 2000); target += inverse(a);}");
  read_through(head + "vector[3000] v = rep_vector(m, 3000); target += sum(v * v');}");
  read_through(std::string(5'000'000, 'x'));
  read_through(std::string("model {\0}", 9));
}

}  // namespace
}  // namespace dpvi
