"""Tests `dpvi formula`: it turns a schema into programs that `check` accepts, or refuses."""
import csv
import math
import random

from program import ProgramTest

SCHEMA = """
[columns.age]
type = "real"
mean = 60
sd = 15
[columns.pressure]
type = "real"
lower = 40
upper = 240
[columns."ward.no"]
type = "int"
lower = 1
upper = 12
[columns.hospital]
type = "category"
levels = ["North", "South", "West"]
[columns.sex]
type = "category"
levels = ["f", "m"]
[columns.died]
type = "int"
lower = 0
upper = 1
[columns.stay]
type = "real"
mean = 7
sd = 4
[columns.visits]
type = "int"
mean = 3
[columns.trials]
type = "int"
[columns.grade]
type = "category"
levels = ["low", "mid", "high"]
[columns.dose]
type = "real"
"""

PROGRAMS = [
    ("died ~ age * pressure + hospital + hospital:age + (1 + age | ward.no)", "bernoulli"),
    ("sex ~ age - 1", "bernoulli"),
    ("visits | trials(trials) ~ age + sex", "binomial"),
    ("stay ~ age + dose", "normal"),
    ("stay ~ 0 + age + (1 | hospital)", "student_t"),
    ("stay ~ age + (1 | hospital)", "normal"),
    ("visits ~ age + (0 + age | hospital)", "poisson"),
    ("visits ~ 1", "neg_binomial_2"),
    ("grade ~ 0", "ordered"),
    ("grade ~ age + sex", "ordered"),
    ("stay ~ log(pressure) * sex + I(age^2) + scale(age)", "gaussian"),
    ("visits ~ sqrt(pressure) + offset(log(pressure)) + (1 | hospital/sex)", "poisson"),
    ("died ~ . - 1 + factor(hospital) + (1 + log10(pressure) | ward.no:sex)", "bernoulli"),
]


PREDICTED = """
[table]
rows = 2000
one_row_per_person = true
[columns.x]
type = "real"
mean = 0
sd = 1
[columns.y]
"""
REAL = 'type = "real"\nmean = 7\nsd = 2\n'
COUNT = 'type = "int"\nmean = 3\n'


def logistic(eta):
    return 1 / (1 + math.exp(-eta))


def poisson(generator, mean):
    count, waited = 0, generator.expovariate(1)
    while waited < mean:
        count, waited = count + 1, waited + generator.expovariate(1)
    return count


def student_t(generator, nu):
    return generator.gauss(0, 1) / math.sqrt(generator.gammavariate(nu / 2, 2 / nu))


def graded(generator, x):
    noisy = x + math.log(1 / generator.random() - 1)
    return "low" if noisy < -1 else "mid" if noisy < 1 else "high"


# Likelihood, declaration of y, a draw of y at x, and its mean.
LAWS = [
    ("normal", REAL, lambda g, x: g.gauss(7 + 2 * x, 1), lambda x: 7 + 2 * x),
    ("student_t", REAL, lambda g, x: 7 + 2 * x + student_t(g, 8), lambda x: 7 + 2 * x),
    ("bernoulli", 'type = "category"\nlevels = ["no", "yes"]\n',
     lambda g, x: "yes" if g.random() < logistic(x) else "no", logistic),
    ("binomial", COUNT, lambda g, x: sum(g.random() < logistic(x) for _ in range(10)),
     lambda x: 10 * logistic(x)),
    ("poisson", COUNT, lambda g, x: poisson(g, math.exp(1 + x / 2)), lambda x: math.exp(1 + x / 2)),
    ("neg_binomial_2", COUNT,
     lambda g, x: poisson(g, math.exp(1 + x / 2) * g.gammavariate(4, .25)), lambda x: math.exp(1 + x / 2)),
    ("ordered", 'type = "category"\nlevels = ["low", "mid", "high"]\n', graded,
     lambda x: 1 + logistic(x + 1) + logistic(x - 1)),
]


class Formula(ProgramTest):
    def setUp(self):
        self.place = self.folder()
        self.schema = self.place / "schema.toml"
        self.schema.write_text(SCHEMA)

    def program(self, formula, likelihood):
        return self.ok("formula", formula, "--likelihood", likelihood, "--schema", self.schema)

    def test_every_program_passes_the_check(self):
        model = self.place / "model.stan"
        for formula, likelihood in PROGRAMS:
            with self.subTest(formula):
                model.write_text(self.program(formula, likelihood))
                renamed = '[model]\nward_no = "ward.no"\n' if "ward.no" in formula else ""
                self.schema.write_text(SCHEMA + renamed)
                check = self.json("check", model, "--schema", self.schema)
                self.assertTrue(check["ok"] and check["factorises"], check)

    def test_numbers_come_from_the_schema(self):
        text = self.program("stay ~ age + pressure + hospital", "normal")
        for line in ["age_scaled = (age - 60) / 15;", "pressure_scaled = (pressure - 140) / 50;",
                     "intercept ~ normal(7, 10);", "b_age ~ normal(0, 10);",
                     "sigma ~ exponential(0.25);", "vector[2] b_hospital;  // South, West; against North"]:
            self.assertIn(line, text)
        self.assertIn("intercept ~ normal(1.09861, 2.5);", self.program("visits ~ age", "poisson"))

    def test_columns_stan_cannot_name_are_renamed_and_the_schema_line_is_given(self):
        self.assertIn('// Add to the schema, under [model]: ward_no = "ward.no"',
                      self.program("died ~ (1 | ward.no)", "bernoulli"))

    def test_effects_by_group_sum_to_zero_beside_an_intercept(self):
        for formula, likelihood, declared in (
                ("stay ~ age + (1 | hospital)", "normal", "sum_to_zero_vector[3] z_hospital;"),
                ("grade ~ age + (1 | hospital)", "ordered", "sum_to_zero_vector[3] z_hospital;"),
                ("stay ~ 0 + age + (1 | hospital)", "normal", "  vector[3] z_hospital;"),
                ("stay ~ age + (0 + age | hospital)", "normal", "  vector[3] z_hospital;")):
            self.assertIn(declared, self.program(formula, likelihood))

    def test_functions_of_a_column_are_scaled_by_its_declared_range(self):
        text = self.program("stay ~ log(pressure) + I(age^2) + scale(age)", "gaussian")
        for line in ["log_pressure = (log(pressure) - 4.58476) / 0.44794",
                     "age_power_2 = (age .* age - 4500) / 1800;",
                     "age_scaled = (age - 60) / 15;"]:
            self.assertIn(line, text)

    def test_offsets_have_no_coefficient_and_a_dot_is_all_other_columns(self):
        text = self.program("visits ~ offset(log(pressure)) + sex", "poisson")
        self.assertIn("+ log(pressure)", text)
        self.assertNotIn("b_log", text)
        text = self.program("died ~ . + (1 | hospital)", "bernoulli")
        for name in ["b_age", "b_pressure", "b_sex", "b_dose"]:
            self.assertIn(name, text)
        for name in ["b_died", "b_hospital"]:
            self.assertNotIn(name, text)

    def test_new_rows_are_predicted_without_the_response(self):
        generator = random.Random(1)
        xs = [generator.gauss(0, 1) for _ in range(2000)]
        (self.place / "new.csv").write_text("x,n\n-1,10\n1,10\n")
        for likelihood, declared, draw, mean in LAWS:
            with self.subTest(likelihood):
                trials = "| trials(n) " if likelihood == "binomial" else ""
                self.schema.write_text(PREDICTED + declared + ('[columns.n]\ntype = "int"\n' if trials else ""))
                program = self.ok("formula", f"y {trials}~ x", "--likelihood", likelihood, "--schema",
                                  self.schema)
                (self.place / "model.stan").write_text(program)
                (self.place / "d.csv").write_text(
                    "x,n,y\n" + "".join(f"{x},10,{draw(generator, x)}\n" for x in xs))
                self.ok("fit", "model.stan", "d.csv", "--schema", self.schema, "--non-private", "--out",
                        likelihood, "--quiet", cwd=self.place)
                self.check_predictions(likelihood, mean)
                self.check_synthetic_table(likelihood, mean)

    # The tolerances are about five standard errors of 2000 rows and of 1000 draws.
    def check_predictions(self, likelihood, mean):
        table = self.ok("predict", likelihood, "new.csv", cwd=self.place)
        for x, row in zip([-1, 1], csv.DictReader(table.splitlines()), strict=True):
            codes = 1 if likelihood == "bernoulli" else 0
            spread = float(row["y_rep_q95"]) - float(row["y_rep_q5"])
            self.assertAlmostEqual(float(row["y_rep_mean"]), mean(x) + codes, delta=.1 + .1 * spread)
            if likelihood == "ordered":
                self.assertNotIn("expected_mean", row)
            else:
                self.assertAlmostEqual(float(row["expected_mean"]), mean(x), delta=.06 * abs(mean(x)) + .03)

    def check_synthetic_table(self, likelihood, mean):
        folder = f"synthetic_{likelihood}"
        self.ok("synth", likelihood, "--rows", "2000", "--covariates", "new.csv", "--out", folder,
                cwd=self.place)
        rows = list(csv.DictReader((self.place / folder / "synthetic_1.csv").read_text().splitlines()))
        codes = {"no": 0, "yes": 1, "low": 1, "mid": 2, "high": 3}
        for x in [-1, 1]:
            drawn = [float(codes.get(row["y"], row["y"])) for row in rows if float(row["x"]) == x]
            self.assertEqual(len(drawn), 1000)
            self.assertAlmostEqual(sum(drawn) / 1000, mean(x), delta=.1 * abs(mean(x)) + .15)

    def test_names_of_generated_quantities_do_not_clash_with_columns(self):
        columns = "".join(f'[columns.{name}]\ntype = "real"\nmean = 0\nsd = 1\n'
                          for name in ["y", "eta", "expected", "y_rep", "y_sim"])
        self.schema.write_text("[table]\nrows = 100\none_row_per_person = true\n" + columns
                               + '[model]\neta_column = "eta"\nexpected_column = "expected"\n')
        program = self.program("y ~ eta + expected + y_rep + y_sim", "normal")
        self.assertIn("y_tilde[n] = normal_rng(eta[n], sigma);", program)
        self.assertIn("expected[n] = eta[n];", program)
        model = self.place / "model.stan"
        model.write_text(program)
        self.assertTrue(self.json("check", model, "--schema", self.schema)["ok"])
        for name in ["y_tilde", "y_pred", "y_new"]:
            columns += f'[columns.{name}]\ntype = "real"\n'
        self.schema.write_text(columns)
        self.refused("DP340", ["'y_rep'"], "formula", "y ~ .", "--likelihood", "normal", "--schema",
                     self.schema, exit_code=65)

    def test_json_holds_the_program(self):
        arguments = ["formula", "died ~ age", "--likelihood", "bernoulli", "--schema", self.schema]
        self.assertEqual(self.json(*arguments), {"ok": True, "program": self.ok(*arguments)})

    def test_mistakes_are_refused(self):
        for code, words, formula, likelihood, exit_code in [
                ("DP341", ["'ag'", "Did you mean 'age'?"], "died ~ ag", "bernoulli", 65),
                ("DP341", ["'grade'", "2 levels"], "grade ~ age", "bernoulli", 65),
                ("DP341", ["'visits'", "groups"], "died ~ (1 | visits)", "bernoulli", 65),
                ("DP103", ["both sides"], "died ~ died", "bernoulli", 64),
                ("DP103", ["trials"], "visits ~ age", "binomial", 64),
                ("DP103", ["two ways"], "died ~ ward.no + (1 | ward.no)", "bernoulli", 64),
                ("DP102", ["both categories"], "died ~ sex:hospital", "bernoulli", 64),
                ("DP102", ["Did you mean 'poisson'?"], "visits ~ age", "poison", 64),
                ("DP103", ["nothing to estimate"], "visits ~ 0", "poisson", 64),
                ("DP341", ["lower bound above 0"], "died ~ log(age)", "bernoulli", 65),
                ("DP341", ["declared mean and sd"], "died ~ scale(dose)", "bernoulli", 65),
                ("DP341", ["declared levels"], "died ~ factor(age)", "bernoulli", 65),
                ("DP341", ["is a category"], "died ~ log(sex)", "bernoulli", 65),
                ("DP102", ["depend on all rows", "I(x^2)"], "died ~ poly(age, 2)", "bernoulli", 64),
                ("DP102", ["place 6"], "died age", "bernoulli", 64)]:
            with self.subTest(formula):
                self.refused(code, words, "formula", formula, "--likelihood", likelihood,
                             "--schema", self.schema, exit_code=exit_code)
