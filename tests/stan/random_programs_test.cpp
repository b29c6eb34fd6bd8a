#include <cmath>
#include <random>

#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

#include "model_reading.hpp"

// Properties of programs drawn from a small grammar; each factorises over records by construction.
namespace dpvi {
namespace {

class ProgramWriter {
 public:
  explicit ProgramWriter(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "functions { real f(real x, int k, vector b) { real v = tanh(x); if (k < 1) return v;\n"
        "  for (i in 1:k) { if (i > 3) break; v += b[i]; } return v; } }\n"
        "data { int<lower=0> N; vector[N] x; matrix[N, 2] z; array[N] int<lower=1, upper=3> g;\n"
        "  array[N] int<lower=0, upper=4> k; vector<lower=0>[N] t; vector[N] y; }\n"
        "parameters { real a; real<lower=0> s; vector[3] b; simplex[3] w; ordered[2] c;\n"
        "  matrix[2, 3] m; real<lower=0, upper=1> q; }\n"
        "transformed parameters { vector[3] u = exp(0.3 * b) .* w; }\n"
        "model {\n  a ~ normal(0, 1); b ~ student_t(4, 0, s); w ~ dirichlet(u + 0.5);\n"
        "  for (n in 1:N) {\n    real v1 = 0; real v2 = 1;\n";
    for (int i = 0; i < 3; ++i) text += "    " + statement(3) + "\n";
    text += "    target += 0.01 * tanh(v1) + 0.01 * tanh(v2);\n  }\n";
    if (below(2) == 0) text += "  y ~ normal(a + z * m[, 1], s);\n";
    if (below(2) == 0) text += "  k ~ poisson_log(b[g] .* x);\n";
    return text + "}\n";
  }

 private:
  std::string name(const char* stem) { return stem + std::to_string(++names_); }

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  std::string pick(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<int>(words.size())));
  }

  // Writes a real expression of moderate size.
  std::string real(int depth) {
    if (depth == 0) {
      return pick({"a", "s", "q", "x[n]", "z[n, 2]", "b[2]", "b[g[n]]", "w[g[n]]", "u[1]", "c[1]",
                   "m[1, g[n]]", "m[2, 3]", "t[n]", "y[n]", "0.7", "v1", "v2", "k[n]"});
    }
    const auto inner = [&] { return real(depth - 1); };
    switch (below(12)) {
      case 0:
        return "(" + inner() + " + " + inner() + ")";
      case 1:
        return "(" + inner() + " - " + inner() + ")";
      case 2:
        return "tanh(" + inner() + ") * " + "sin(" + inner() + ")";
      case 3:
        return pick({"inv_logit", "atan", "sin", "Phi", "tanh"}) + "(" + inner() + ")";
      case 4:
        return "log1p(square(" + inner() + "))";
      case 5:
        return "(" + condition(depth - 1) + " ? " + inner() + " : " + inner() + ")";
      case 6:
        return "dot_product(z[n], [tanh(" + inner() + "), 0.5])";
      case 7:
        return "log_sum_exp([" + inner() + ", " + inner() + ", 0.3])";
      case 8:
        return "(k[n] > 0 && (k[n] > 3 || b[k[n]] > 0.2) ? " + inner() + " : w[k[n] % 3 + 1])";
      case 9:
        return "f(" + inner() + ", k[n], b)";
      case 10:
        return "sort_desc([" + inner() + ", " + inner() + ", b[g[n]]]')[2]";
      default:
        return "sum(softmax(b + tanh(" + inner() + ")) .* w)";
    }
  }

  std::string condition(int depth) {
    const std::string left = below(2) == 0 ? "x[n]" : "k[n]";
    return left + pick({" > ", " <= "}) + (below(3) == 0 ? "1" : "atan(" + real(depth) + ")");
  }

  std::string positive(int depth) { return "(0.2 + exp(tanh(" + real(depth) + ")))"; }
  std::string share(int depth) { return "inv_logit(tanh(" + real(depth) + "))"; }

  std::string density(int depth) {
    const std::string first = real(depth);
    const std::string scale = positive(depth);
    switch (below(8)) {
      case 0:
        return "y[n] ~ normal(" + first + ", " + scale + ");";
      case 1:
        return "k[n] ~ poisson(" + scale + ");";
      case 2:
        return "target += bernoulli_lpmf(k[n] > 1 | " + share(depth) + ");";
      case 3:
        return "t[n] ~ weibull(" + scale + ", " + positive(depth) + ");";
      case 4:
        return "target += gamma_lccdf(t[n] | " + scale + ", " + positive(depth) + ");";
      case 5:
        return "g[n] ~ categorical_logit(b + " + first + " * w);";
      case 6:
        return "target += log_mix(" + share(depth) + ", normal_lpdf(y[n] | " + first +
               ", s), student_t_lpdf(y[n] | 5, a, " + scale + "));";
      default:
        return "k[n] ~ neg_binomial_2(" + scale + ", " + positive(depth) + ");";
    }
  }

  std::string statement(int depth) {
    if (depth == 0) return below(3) == 0 ? density(1) : pick({"v1", "v2"}) + " += " + real(1) + ";";
    const auto inner = [&] { return statement(depth - 1); };
    switch (below(7)) {
      case 0:
        return "if (" + condition(1) + ") { " + inner() + " } else { " + inner() + " }";
      case 1: {
        const std::string j = name("j");
        return "for (" + j + " in 1:g[n]) { " + inner() + " if (" + j + " == k[n]) break; }";
      }
      case 2: {
        const std::string j = name("j");
        return "for (" + j + " in 1:2) { if (" + condition(1) + ") continue; v1 += m[" + j +
               ", 1]; " + inner() + " }";
      }
      case 3:
        return inner() + " " + inner();
      case 4: {
        const std::string r = name("r");
        return "{ vector[3] " + r + " = b; " + r + "[g[n]] = " + real(2) +
               "; v2 = v2 * 0.5 + sum(" + r + " .* w); " + inner() + " }";
      }
      case 5: {
        const std::string r = name("r");
        return "{ vector[k[n] + 1] " + r + " = rep_vector(" + real(1) + ", k[n] + 1); v1 += sum(" +
               r + ") / 5; }";
      }
      default:
        return density(depth);
    }
  }

  std::mt19937_64 random_;
  int names_ = 0;
};

// Fourth-order central difference along a direction.
double slope(const Graph& graph, NodeId node, const std::vector<double>& theta,
             const std::vector<double>& direction, const RecordValues& record) {
  const double h = 1e-4;
  const auto value = [&](double step) {
    std::vector<double> moved = theta;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * direction[i];
    return reference_values(graph, node, moved, record)[0];
  };
  return (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
}

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed)
      : text(ProgramWriter(seed).program()), read(text), model(read.build()), random_(seed) {
    theta.resize(static_cast<std::size_t>(model.free_size));
    std::normal_distribution<double> normal;
    for (double& entry : theta) entry = 0.5 * normal(random_);
    direction.resize(theta.size());
    for (double& entry : direction) entry = normal(random_);
    MockRecordGenerator mock_generator(model.record_variables, facts_, seed);
    for (int i = 0; i < kLanes; ++i) {
      const ProgramRecord mock = mock_generator.next();
      records.push_back({mock.reals, {mock.integers.begin(), mock.integers.end()}});
    }
  }

  std::string text;
  ReadModel read;
  StanModel model;
  std::vector<double> theta, direction;
  std::vector<RecordNumbers> records;

 private:
  std::mt19937_64 random_;
  const RecordFacts facts_;
};

constexpr std::uint64_t kPrograms = 60;

TEST(RandomPrograms, GradientsAreSlopes) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const RandomProgram program(seed);
    for (int i = 0; i < 3; ++i) {
      const RecordValues record = program.records[static_cast<std::size_t>(i)].values();
      const NodeId root = i == 0 ? program.model.prior : program.model.record;
      const ReferenceGradient found =
          reference_gradient(*program.model.graph, root, program.theta, record);
      if (!std::isfinite(found.value)) continue;
      double along = 0;
      for (std::size_t k = 0; k < found.gradient.size(); ++k) {
        along += found.gradient[k] * program.direction[k];
      }
      // A condition on parameters may change within a step.
      const double numerical =
          slope(*program.model.graph, root, program.theta, program.direction, record);
      EXPECT_NEAR(along, numerical, 1e-6 * (1 + std::abs(found.value) + std::abs(along)))
          << program.text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(RandomPrograms, RecordsAndPriorAddUpToTheWholeProgram) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    RandomProgram program(seed);
    const std::optional<bool> found = program.read.factorises();
    if (!found) continue;
    EXPECT_TRUE(*found) << program.text;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(RandomPrograms, LanesComputeWhatTheReferenceComputes) {
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const RandomProgram program(seed);
    const RecordTape tape(*program.model.graph, program.model.record, program.model.free_size);
    TapeWorkspace workspace(tape);
    RecordPreparer preparer(tape);
    const auto reals = static_cast<std::size_t>(tape.real_columns());
    const auto ints = static_cast<std::size_t>(tape.int_columns());
    std::vector<double> real_block(reals * kLanes), own_reals(reals);
    std::vector<std::int32_t> int_block(ints * kLanes), own_ints(ints);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      preparer.prepare(program.records[lane].values(), own_reals.data(), own_ints.data());
      for (std::size_t c = 0; c < reals; ++c) real_block[c * kLanes + lane] = own_reals[c];
      for (std::size_t c = 0; c < ints; ++c) int_block[c * kLanes + lane] = own_ints[c];
    }
    std::vector<double> lp(kLanes), gradient(program.theta.size() * kLanes);
    tape.begin_draw(workspace, program.theta);
    tape.evaluate_block(workspace, {real_block.data(), int_block.data()}, lp.data(),
                        gradient.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const ReferenceGradient expected =
          reference_gradient(*program.model.graph, program.model.record, program.theta,
                             program.records[lane].values());
      if (!std::isfinite(expected.value)) {
        EXPECT_FALSE(std::isfinite(lp[lane])) << program.text;
        continue;
      }
      EXPECT_NEAR(lp[lane], expected.value, 1e-10 * (1 + std::abs(expected.value))) << program.text;
      for (std::size_t k = 0; k < program.theta.size(); ++k) {
        EXPECT_NEAR(gradient[k * kLanes + lane], expected.gradient[k],
                    1e-9 * (1 + std::abs(expected.gradient[k])))
            << program.text;
      }
    }
  }
}

}  // namespace
}  // namespace dpvi
