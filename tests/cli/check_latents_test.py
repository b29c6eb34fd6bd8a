"""Tests `dpvi check` on programs whose parameters belong to records: densities and gradients are
those of the record with its latent variables integrated out."""
import math
import unittest

from check_program import NORMAL, CheckTest
from densities import log_integral, log_logistic, log_multi_normal, normal

SCHOOLS = """data { int<lower=0> N; vector[N] y; vector<lower=0>[N] se; }
parameters { real mu; real log_tau; vector[N] eta; }
transformed parameters { vector[N] theta = mu + exp(log_tau) * eta; }
model {
  mu ~ normal(0, 5);
  log_tau ~ normal(0, 1);
  eta ~ std_normal();
  y ~ normal(theta, se);
}
generated quantities { real tau = exp(log_tau); real shrunk = mean(theta); }
"""
CENTRED_SCHOOLS = (SCHOOLS.replace("vector[N] eta;", "vector[N] theta;")
                   .replace("transformed parameters { vector[N] theta = mu + exp(log_tau) * eta; }",
                            "")
                   .replace("eta ~ std_normal()", "theta ~ normal(mu, exp(log_tau))"))
AFFINE_SCHOOLS = CENTRED_SCHOOLS.replace(
    "vector[N] theta;", "vector<offset=mu, multiplier=exp(log_tau)>[N] theta;")
EIGHT = {"N": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "se": [15, 10, 16, 11, 9, 11, 10, 18]}

SEEDS = """data { int N; array[N] int<lower=0> r; array[N] int<lower=0> n; vector[N] x; }
parameters { real a; real b; real log_sigma; vector[N] z; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); log_sigma ~ normal(0, 1);
  z ~ normal(0, exp(log_sigma));
  for (i in 1:N) r[i] ~ binomial_logit(n[i], a + b * x[i] + z[i]);
}
"""

RASCH = """data { int N; int<lower=1> I; array[N, I] int<lower=0, upper=1> y; }
parameters { vector[I] difficulty; real log_sd; vector[N] ability; }
model {
  difficulty ~ normal(0, 2); log_sd ~ normal(0, 1);
  ability ~ normal(0, exp(log_sd));
  for (n in 1:N) y[n] ~ bernoulli_logit(ability[n] - difficulty);
}
"""

RATS = """data { int N; int T; vector[T] t; matrix[N, T] y; }
parameters {
  vector[2] mean_line; vector[2] log_tau; cholesky_factor_corr[2] L; real log_s;
  array[N] vector[2] line;
}
model {
  mean_line ~ normal(0, 2); log_tau ~ normal(0, 1); log_s ~ normal(0, 1); L ~ lkj_corr_cholesky(2);
  line ~ multi_normal_cholesky(mean_line, diag_pre_multiply(exp(log_tau), L));
  for (n in 1:N) y[n] ~ normal(line[n, 1] + line[n, 2] * t, exp(log_s));
}
"""

FACTORS = """data { int N; int D; matrix[N, D] x; }
parameters { matrix[D, 3] W; real log_s; matrix[3, N] z; }
model {
  to_vector(W) ~ normal(0, 1); log_s ~ normal(0, 1); to_vector(z) ~ std_normal();
  for (n in 1:N) x[n]' ~ normal(W * z[, n], exp(log_s));
}
"""


class CheckLatents(CheckTest):
    def compare(self, program, data, theta, expected, tolerance=1e-8, *flags):
        """Compares a record's density with `expected(theta, record number)`, and its gradient with
        differences of that."""
        step = 1e-4
        moved = [[t + sign * step * (i == j) for i, t in enumerate(theta)]
                 for j in range(len(theta)) for sign in (1, -1)]
        point = self.points(program, data, [theta], *flags)[0]
        records = range(len(point["records"]))
        self.assertGreater(len(records), 0)
        for n in records:
            found = point["records"][n]
            wanted = expected(theta, n)
            self.assertLess(abs(found["lp"] - wanted), tolerance * (1 + abs(wanted)), (n, found))
            for j in range(len(theta)):
                slope = (expected(moved[2 * j], n) - expected(moved[2 * j + 1], n)) / (2 * step)
                self.assertLess(abs(found["grad"][j] - slope),
                                max(10 * tolerance, 1e-6) * (1 + abs(slope)), (n, j))
        return point

    def test_eight_schools_in_all_forms_have_the_known_marginal(self):
        def expected(theta, n):
            return normal(EIGHT["y"][n], theta[0],
                          math.hypot(EIGHT["se"][n], math.exp(theta[1])))
        for program in (SCHOOLS, CENTRED_SCHOOLS, AFFINE_SCHOOLS):
            for theta in ([4.0, 1.2], [-30.0, -4.0], [8.0, 4.0]):
                self.compare(program, EIGHT, theta, expected)

    def test_latents_are_no_parameters_and_nothing_they_touch_is_released(self):
        document = self.check(SCHOOLS)
        self.assertEqual(document["local_latents"], ["eta"])
        self.assertEqual([p["name"] for p in document["parameters"]], ["mu", "log_tau"])
        self.assertEqual(document["unconstrained_dim"], 2)
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["transformed"]["kept"], [])
        self.assertEqual(document["generated"]["kept"], ["tau"])
        self.assertEqual(document["generated"]["dropped"], ["shrunk"])

    def test_seeds_agree_with_a_fine_grid(self):
        data = {"N": 4, "r": [10, 0, 23, 3], "n": [39, 6, 81, 3], "x": [0, 1, 0.5, -1]}

        def expected(theta, n):
            a, b, sigma = theta[0], theta[1], math.exp(theta[2])
            r, trials = data["r"][n], data["n"][n]
            choose = math.lgamma(trials + 1) - math.lgamma(r + 1) - math.lgamma(trials - r + 1)

            def joint(z):
                eta = a + b * data["x"][n] + z
                return (choose + r * log_logistic(eta) + (trials - r) * log_logistic(-eta) +
                        normal(z, 0, sigma))
            return log_integral(joint, -14 * sigma, 14 * sigma)
        for theta in ([-0.5, 0.3, -1.0], [0.4, 1.0, 0.4]):
            self.compare(SEEDS, data, theta, expected, 2e-6)

    def test_rasch_agrees_with_a_fine_grid(self):
        data = {"N": 3, "I": 4, "y": [[1, 1, 1, 1], [0, 1, 0, 0], [1, 0, 1, 0]]}

        def expected(theta, n):
            sd = math.exp(theta[4])

            def joint(z):
                return normal(z, 0, sd) + sum(log_logistic((2 * y - 1) * (z - d))
                                              for y, d in zip(data["y"][n], theta))
            return log_integral(joint, -14 * sd, 14 * sd)
        self.compare(RASCH, data, [0.5, -1.0, 0.2, 1.5, 0.1], expected, 1e-5, "-D", "I=4")

    def test_varying_intercept_and_slope_with_a_covariance_have_the_known_marginal(self):
        times = [-1.0, 0.0, 0.5, 2.0]
        data = {"N": 2, "T": 4, "t": times, "y": [[0.1, 1.0, 1.2, 4.0], [3.0, 0.0, -1.0, -9.0]]}

        def expected(theta, n):
            mean, tau = theta[:2], [math.exp(t) for t in theta[2:4]]
            rho, s = math.tanh(theta[4]), math.exp(theta[5])
            v = [[tau[0] ** 2, rho * tau[0] * tau[1]], [rho * tau[0] * tau[1], tau[1] ** 2]]
            rest = [y - mean[0] - mean[1] * t for y, t in zip(data["y"][n], times)]
            covariance = [[v[0][0] + v[0][1] * (a + b) + v[1][1] * a * b + s * s * (i == j)
                           for j, b in enumerate(times)] for i, a in enumerate(times)]
            return log_multi_normal(rest, covariance)
        public = self.write("public.json", {"t": times})
        self.compare(RATS, data, [0.3, 0.7, 0.2, -0.4, 0.6, -0.5], expected, 1e-8,
                     "--public", public, "-D", "T=4")

    def test_three_factors_by_laplaces_method_have_the_known_marginal(self):
        data = {"N": 2, "D": 2, "x": [[0.4, -1.3], [2.0, 2.5]]}

        def expected(theta, n):
            w = [[theta[2 * k + d] for k in range(3)] for d in range(2)]
            s = math.exp(theta[6])
            covariance = [[sum(a * b for a, b in zip(w[i], w[j])) + s * s * (i == j)
                           for j in range(2)] for i in range(2)]
            return log_multi_normal(data["x"][n], covariance)
        self.compare(FACTORS, data, [0.5, 1.0, -0.3, 0.2, 0.8, -1.1, -0.2], expected, 1e-8,
                     "-D", "D=2")

    def test_bounded_latents_and_their_jacobian_have_the_known_marginal(self):
        program = """data { int N; array[N] int<lower=0> y; }
parameters { real log_shape; real log_rate; vector<lower=0>[N] lambda; }
model {
  log_shape ~ normal(0, 1); log_rate ~ normal(0, 1);
  lambda ~ gamma(exp(log_shape), exp(log_rate));
  y ~ poisson(lambda);
}
"""
        def expected(theta, n):
            shape, rate, y = math.exp(theta[0]), math.exp(theta[1]), [0, 3, 50][n]
            return (math.lgamma(y + shape) - math.lgamma(shape) - math.lgamma(y + 1) +
                    shape * math.log(rate / (rate + 1)) - y * math.log1p(rate))
        self.compare(program, {"N": 3, "y": [0, 3, 50]}, [1.2, -0.5], expected, 1e-4)
        twins = """data { int N; array[N] int<lower=0> y; array[N] int<lower=0> trials; }
parameters { real log_a; real log_b; vector<lower=0, upper=1>[N] p; }
model {
  log_a ~ normal(0, 1); log_b ~ normal(0, 1);
  p ~ beta(exp(log_a), exp(log_b));
  y ~ binomial(trials, p);
}
"""
        def beta_binomial(theta, n):
            a, b, y, trials = math.exp(theta[0]), math.exp(theta[1]), [1, 9][n], [5, 9][n]

            def log_beta(u, v):
                return math.lgamma(u) + math.lgamma(v) - math.lgamma(u + v)
            return (log_beta(y + a, trials - y + b) - log_beta(a, b) -
                    math.log(trials + 1) - log_beta(y + 1, trials - y + 1))
        self.compare(twins, {"N": 2, "y": [1, 9], "trials": [5, 9]}, [1.0, 0.6], beta_binomial,
                     1e-4)

    def test_simplexes_of_records_have_the_known_marginal(self):
        program = """data { int N; array[N, 3] int<lower=0> y; }
parameters { vector[3] log_a; array[N] simplex[3] p; }
model {
  log_a ~ normal(0, 1);
  for (n in 1:N) { p[n] ~ dirichlet(exp(log_a)); y[n] ~ multinomial(p[n]); }
}
"""
        counts = [[3, 0, 1], [12, 7, 30]]

        def expected(theta, n):
            a, y = [math.exp(t) for t in theta], counts[n]
            total = math.lgamma(sum(y) + 1) + math.lgamma(sum(a)) - math.lgamma(sum(a) + sum(y))
            return total + sum(math.lgamma(u + v) - math.lgamma(u) - math.lgamma(v + 1)
                               for u, v in zip(a, y))
        self.compare(program, {"N": 2, "y": counts}, [0.6, 0.2, 1.0], expected, 1e-3)

    def test_a_record_without_a_finite_integral_has_no_density(self):
        point = self.points(SCHOOLS, {"N": 2, "y": [1, "NaN"], "se": [1, 1]}, [[0, 0]])[0]
        self.assertIn("lp", point["records"][0])
        self.assertNotIsInstance(point["records"][1].get("lp"), float)

    def test_latents_that_cannot_be_integrated_are_refused_with_the_reason(self):
        unused = NORMAL.replace("real mu;", "real mu;\n  vector[N] z;")
        self.finding(unused, code="DP211", words=["z", "prior"])
        longer = NORMAL.replace("real mu;", "real mu;\n  vector[N + 1] z;")
        self.finding(longer, code="DP211", line=7, words=["one entry for each record"])
        coupled = NORMAL.replace("real mu;", "real mu;\n  vector[N] z;").replace(
            "  y ~", "  z[1] ~ normal(0, 1);\n  for (n in 2:N) z[n] ~ normal(z[n - 1], 1);\n  y ~"
        ).replace("normal(mu, sigma)", "normal(mu + z, sigma)")
        self.finding(coupled, code="DP207")


if __name__ == "__main__":
    unittest.main()
