"""Tests `dpvi check` on programs that use all rows of a unit together: densities and gradients are
those of the program on the rows of each unit, and the program must be a sum over units."""
import math
import unittest

from check_program import CheckTest
from densities import log_integral, log_logistic, log_multi_normal, normal

UNIT = '[table]\nunit = "patient"\nmax_rows_per_unit = 4\n'
DATA = """data {
  int<lower=0> N;
  int<lower=0> J;
  array[N] int<lower=1, upper=J> patient;
  vector[N] x;
  vector[N] y;
}
"""
INTERCEPT = DATA + """parameters { real mu; real b; real log_tau; real log_s; vector[J] z; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); log_tau ~ normal(0, 1); log_s ~ normal(0, 1);
  z ~ normal(0, exp(log_tau));
  y ~ normal(mu + b * x + z[patient], exp(log_s));
}
"""
# The same with a transformed parameter, loops and a standardised effect.
LOOPS = DATA + """parameters { real mu; real b; real log_tau; real log_s; vector[J] eta; }
transformed parameters { vector[J] a; for (j in 1:J) a[j] = mu + exp(log_tau) * eta[j]; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); log_tau ~ normal(0, 1); log_s ~ normal(0, 1);
  eta ~ std_normal();
  for (n in 1:N) { int p = patient[n]; y[n] ~ normal(a[p] + b * x[n], exp(log_s)); }
}
"""
# One row for each patient.
WIDE = """data { int<lower=0> N; array[N] int<lower=1, upper=4> T; matrix[N, 4] x; matrix[N, 4] y; }
parameters { real mu; real b; real log_tau; real log_s; vector[N] z; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); log_tau ~ normal(0, 1); log_s ~ normal(0, 1);
  z ~ normal(0, exp(log_tau));
  for (n in 1:N) for (t in 1:T[n]) y[n, t] ~ normal(mu + b * x[n, t] + z[n], exp(log_s));
}
"""
# Carry-over, a random intercept and a term in the number of units. Stan 2.39 gave the joint density
# of the program with its effects on a fine grid; these are the logs of its integrals.
CARRIED = """data {
  int<lower=0> N;
  int<lower=0> J;
  array[N] int<lower=1, upper=J> patient;
  vector[N] x;
  array[N] int<lower=0, upper=1> y;
}
parameters { real mu; real b; real rho; real<lower=0> tau; vector[J] z; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); rho ~ normal(0, 1); tau ~ normal(0, 1);
  z ~ normal(0, tau);
  for (n in 1:N) {
    real eta = mu + b * x[n] + z[patient[n]];
    if (n > 1 && patient[n] == patient[n - 1]) eta += rho * y[n - 1];
    y[n] ~ bernoulli_logit(eta);
  }
  target += -0.1 * J * mu;
}
"""
CARRIED_DATA = {"N": 8, "J": 3, "patient": [1, 1, 1, 2, 3, 3, 3, 3],
                "x": [0.5, -0.2, 1.0, 0.3, 0.0, 2.0, -1.0, 0.7], "y": [1, 0, 1, 0, 1, 1, 0, 0]}
CARRIED_POINTS = [([0.3, 0.8, -0.5, 0.2], -10.562283216428447, 1e-7),
                  ([-0.6, 0.1, 1.2, 0.9], -14.926164767857983, 1e-5)]
ROWS = [(1, 0.5, 1.0), (1, -0.2, 0.4), (1, 1.0, 2.2), (2, 0.3, -1.0), (3, 0.0, 0.1), (3, 2.0, 3.0),
        (4, 1.0, 1.0), (4, -1.0, -2.0), (4, 0.1, 0.0), (4, 0.2, -0.5)]
THETA = [0.3, 0.8, -0.4, 0.2]


def long_data(rows):
    return {"N": len(rows), "J": len({who for who, _, _ in rows}),
            "patient": [who for who, _, _ in rows], "x": [x for _, x, _ in rows],
            "y": [y for _, _, y in rows]}


def by_patient(rows):
    units = {}
    for who, x, y in rows:
        units.setdefault(who, []).append((x, y))
    return list(units.values())


def intercept(theta, rows):
    """The density of one patient's rows."""
    tau, s = math.exp(2 * theta[2]), math.exp(2 * theta[3])
    rest = [y - theta[0] - theta[1] * x for x, y in rows]
    return log_multi_normal(rest, [[tau + s * (i == j) for j in range(len(rows))]
                                   for i in range(len(rows))])


class CheckUnits(CheckTest):
    def units(self, program, rows, theta, schema=UNIT, extra=None):
        data = {**long_data(rows), **(extra or {})}
        return self.points(program, data, [theta], "--schema", self.write("s.toml", schema))[0]

    def compare(self, point, theta, expected, units, tolerance=1e-8):
        """Compares each unit's density with `expected(theta, unit)`, and its gradient with
        differences of that."""
        step = 1e-5
        self.assertEqual(len(point["records"]), len(units))
        for found, unit in zip(point["records"], units):
            wanted = expected(theta, unit)
            self.assertLess(abs(found["lp"] - wanted), tolerance * (1 + abs(wanted)), found)
            for j in range(len(theta)):
                up = [t + step * (i == j) for i, t in enumerate(theta)]
                down = [t - step * (i == j) for i, t in enumerate(theta)]
                slope = (expected(up, unit) - expected(down, unit)) / (2 * step)
                self.assertLess(abs(found["grad"][j] - slope),
                                max(10 * tolerance, 1e-6) * (1 + abs(slope)), (unit, j))

    def test_a_random_intercept_in_long_form_has_the_known_marginal(self):
        for program in (INTERCEPT, LOOPS):
            for theta in (THETA, [-2.0, 0.1, 1.5, -1.0]):
                self.compare(self.units(program, ROWS, theta), theta, intercept, by_patient(ROWS))

    def test_effects_of_a_unit_are_latent_and_not_released(self):
        document = self.check(LOOPS, "--schema", self.write("s.toml", UNIT))
        self.assertEqual(document["local_latents"], ["eta"])
        self.assertEqual([p["name"] for p in document["parameters"]],
                         ["mu", "b", "log_tau", "log_s"])
        self.assertEqual(document["unconstrained_dim"], 4)
        self.assertIs(document["factorises"], True)
        self.assertEqual(document["transformed"], {"kept": [], "dropped": ["a"]})
        self.assertEqual(document["public_data"], [])

    def test_long_and_wide_form_have_the_same_densities(self):
        units = by_patient(ROWS)

        def padded(part):
            return [[row[part] for row in unit] + [0.0] * (4 - len(unit)) for unit in units]
        wide = self.points(WIDE, {"N": 4, "T": [len(unit) for unit in units], "x": padded(0),
                                  "y": padded(1)}, [THETA])[0]
        long = self.units(INTERCEPT, ROWS, THETA)
        for here, there in zip(long["records"], wide["records"]):
            self.assertAlmostEqual(here["lp"], there["lp"], delta=1e-9)
            for a, b in zip(here["grad"], there["grad"]):
                self.assertAlmostEqual(a, b, delta=1e-8)
        self.assertAlmostEqual(long["prior"]["lp"], wide["prior"]["lp"], delta=1e-12)

    def test_a_units_density_depends_on_its_own_rows_alone_in_any_order_of_units(self):
        together = self.units(INTERCEPT, ROWS, THETA)["records"]
        order = [3, 0, 4, 6, 1, 7, 5, 8, 9, 2]  # rows of a patient keep their order
        shuffled = self.units(INTERCEPT, [ROWS[i] for i in order], THETA)["records"]
        for here, there in zip(together, [shuffled[i] for i in (1, 0, 2, 3)]):
            self.assertEqual(here, there)
        for who in (1, 2, 3, 4):
            alone = self.units(INTERCEPT, [(1, x, y) for w, x, y in ROWS if w == who], THETA)
            self.assertEqual(alone["records"], [together[who - 1]])

    def test_rows_beyond_the_limit_do_not_count(self):
        short = UNIT.replace("4", "2")
        point = self.units(INTERCEPT, ROWS, THETA, short)
        self.compare(point, THETA, intercept, [unit[:2] for unit in by_patient(ROWS)])

    def test_logistic_effects_agree_with_a_fine_grid(self):
        program = """data { int N; int J; array[N] int<lower=1, upper=J> patient; vector[N] x;
  array[N] int<lower=0, upper=1> y; }
parameters { real mu; real b; real<lower=0> tau; vector[J] z; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); tau ~ normal(0, 1);
  z ~ normal(0, tau);
  y ~ bernoulli_logit(mu + b * x + z[patient]);
}
"""
        rows = [(who, x, int(y > 0)) for who, x, y in ROWS]

        def expected(theta, unit):
            tau = math.exp(theta[2])
            return log_integral(lambda z: normal(z, 0, tau) + sum(
                log_logistic((2 * y - 1) * (theta[0] + theta[1] * x + z)) for x, y in unit),
                -14 * tau, 14 * tau)
        self.compare(self.units(program, rows, [0.2, 0.7, 0.3]), [0.2, 0.7, 0.3], expected,
                     by_patient(rows), 1e-6)

    def test_intercept_and_slope_of_a_unit_may_be_correlated(self):
        program = DATA + """parameters {
  vector[2] m; vector[2] log_tau; cholesky_factor_corr[2] L; real log_s; array[J] vector[2] line;
}
model {
  m ~ normal(0, 2); log_tau ~ normal(0, 1); log_s ~ normal(0, 1); L ~ lkj_corr_cholesky(2);
  line ~ multi_normal_cholesky(m, diag_pre_multiply(exp(log_tau), L));
  for (n in 1:N) y[n] ~ normal(line[patient[n], 1] + line[patient[n], 2] * x[n], exp(log_s));
}
"""

        def expected(theta, unit):
            tau = [math.exp(t) for t in theta[2:4]]
            rho, s = math.tanh(theta[4]), math.exp(theta[5])
            v = [[tau[0] ** 2, rho * tau[0] * tau[1]], [rho * tau[0] * tau[1], tau[1] ** 2]]
            return log_multi_normal(
                [y - theta[0] - theta[1] * x for x, y in unit],
                [[v[0][0] + v[0][1] * (a + b) + v[1][1] * a * b + s * s * (i == j)
                  for j, (b, _) in enumerate(unit)] for i, (a, _) in enumerate(unit)])
        theta = [0.3, 0.7, 0.2, -0.4, 0.6, -0.5]
        self.compare(self.units(program, ROWS, theta), theta, expected, by_patient(ROWS))

    def test_carry_over_within_a_person_is_the_program_on_the_whole_table(self):
        program = DATA + """parameters { real m; real rho; real log_s; }
model {
  m ~ normal(0, 2); rho ~ normal(0, 1); log_s ~ normal(0, 1);
  for (n in 1:N) {
    if (n > 1 && patient[n] == patient[n - 1]) y[n] ~ normal(m + rho * (y[n - 1] - m), exp(log_s));
    else y[n] ~ normal(m, 2);
  }
}
"""

        def expected(theta, unit):
            m, rho, s = theta[0], theta[1], math.exp(theta[2])
            y = [value for _, value in unit]
            return normal(y[0], m, 2) + sum(normal(b, m + rho * (a - m), s)
                                            for a, b in zip(y, y[1:]))
        theta = [0.4, 0.6, -0.3]
        self.compare(self.units(program, ROWS, theta), theta, expected, by_patient(ROWS))

    def test_carry_over_and_effects_together_have_the_densities_of_stan(self):
        points = self.points(CARRIED, CARRIED_DATA, [theta for theta, _, _ in CARRIED_POINTS],
                             "--schema", self.write("s.toml", UNIT))
        for point, (_, expected, tolerance) in zip(points, CARRIED_POINTS):
            self.assertAlmostEqual(point["lp"], expected, delta=tolerance)

    def test_a_class_of_each_unit_is_summed_out_over_its_rows(self):
        program = DATA + """parameters { real a; real b; real<lower=0, upper=1> share; }
model {
  a ~ normal(0, 1); b ~ normal(0, 1);
  for (j in 1:J) {
    vector[2] lp = [log(share), log1m(share)]';
    for (n in 1:N) if (patient[n] == j) {
      lp[1] += normal_lpdf(y[n] | a, 1);
      lp[2] += normal_lpdf(y[n] | b, 1);
    }
    target += log_sum_exp(lp);
  }
}
"""

        def expected(theta, unit):
            share = 1 / (1 + math.exp(-theta[2]))
            parts = [math.log(share) + sum(normal(y, theta[0], 1) for _, y in unit),
                     math.log1p(-share) + sum(normal(y, theta[1], 1) for _, y in unit)]
            top = max(parts)
            return top + math.log(sum(math.exp(part - top) for part in parts))
        theta = [0.5, -0.8, 0.3]
        self.compare(self.units(program, ROWS, theta), theta, expected, by_patient(ROWS))

    def test_data_of_units_have_the_values_of_their_first_rows(self):
        program = INTERCEPT.replace("vector[N] x;", "vector[N] x; vector[J] age;").replace(
            "z ~ normal(0,", "z ~ normal(0.5 * age,")
        ages = [1.0, -2.0, 0.5, 0.0]
        point = self.units(program, ROWS, THETA, extra={"age": ages})
        units = [(age, unit) for age, unit in zip(ages, by_patient(ROWS))]
        self.compare(point, THETA, lambda theta, unit: intercept(
            [theta[0] + 0.5 * unit[0], *theta[1:]], unit[1]), units)

    def test_what_mixes_units_is_refused_by_its_line(self):
        schema = self.write("s.toml", UNIT)
        for statement in ("for (n in 2:N) y[n] ~ normal(mu + b * y[n - 1], exp(log_s));",
                          "for (n in 1:N) if (n == 1) y[n] ~ normal(mu, exp(log_s));",
                          "target += -square(sum(y) - mu);"):
            density = "  y ~ normal(mu + b * x"
            program = INTERCEPT.replace(density, f"  {statement}\n{density}")
            line = 1 + program[:program.index(statement)].count("\n")
            self.finding(program, "--schema", schema, code="DP207", line=line)

    def test_what_has_no_value_of_its_own_for_a_unit_is_refused(self):
        schema = self.write("s.toml", UNIT)
        self.finding(INTERCEPT.replace("vector[J] z", "vector[N] w; vector[J] z"), "--schema",
                     schema, code="DP211", words=["entry for each row"])
        self.finding(INTERCEPT.replace("y ~ normal(mu", "y[1] ~ normal(0, 1); y ~ normal(mu"),
                     "--schema", schema, code="DP207", words=["no density without rows"])
        self.finding(INTERCEPT.replace("y ~ normal(mu", "if (N > 100) target += mu; y ~ normal(mu"),
                     "--schema", schema, code="DP207", words=["number of records"])


class PersonsOrGroups(CheckTest):
    """An index whose levels may be persons is asked about; the program and the schema decide."""

    def asked(self, program, schema, words):
        found = self.finding(program, "--schema", self.write("s.toml", schema), code="DP341",
                             words=words)
        self.assertIn("public_levels = true", found["message"])
        self.assertIn('unit = "', found["message"])

    def test_names_of_ids_are_asked_about(self):
        self.asked(INTERCEPT, "[table]\nrows = 100000\n", ["'patient' looks like an id"])
        renamed = INTERCEPT.replace("patient", "g")
        self.asked(renamed, '[model]\ng = "subject_id"\n', ["'subject_id' looks like an id"])
        self.asked(LOOPS, "[table]\none_row_per_person = true\n", ["'a'", "'patient'"])

    def test_many_levels_with_few_rows_are_asked_about(self):
        renamed = INTERCEPT.replace("patient", "g")
        self.asked(renamed, "[table]\nrows = 2000\n[public]\nJ = 400\n",
                   ["400 levels share about 2000 declared rows"])
        for rows, levels in ((2000, 20), (20000, 400)):
            schema = f"[table]\nrows = {rows}\n[public]\nJ = {levels}\n"
            self.assertTrue(self.check(renamed, "--schema", self.write("s.toml", schema))["ok"])

    def test_each_of_the_two_lines_settles_it(self):
        levels = "[columns.patient]\npublic_levels = true\n[public]\nJ = 12\n"
        document = self.check(INTERCEPT, "--schema", self.write("s.toml", levels))
        self.assertEqual(document["local_latents"], [])
        self.assertEqual(document["unconstrained_dim"], 16)
        document = self.check(INTERCEPT, "--schema", self.write("s.toml", UNIT))
        self.assertEqual(document["local_latents"], ["z"])


if __name__ == "__main__":
    unittest.main()
