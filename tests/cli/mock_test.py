"""Tests `dpvi mock`: mock records that work with every command."""
import csv
import io

from fit_example import MODEL, FitCase
from program import run

SCHEMA = """[columns.age]
lower = 18
upper = 90
mean = 60
sd = 15
standardise = true

[columns.ward]
type = "category"
levels = ["ward, north", "say \\"south\\"", "west"]

[columns.visits]
type = "int"
lower = 0
upper = 1000
mean = 500
sd = 100
standardise = true

[columns.outcome]
type = "category"
levels = ["alive", "dead"]
coding = "dummy"

[model]
x = ["age", "ward", "visits"]
y = "outcome"
"""

# The last term is no density, so that the model block states no law.
REPLICATED = MODEL.replace("x * beta);", "x * beta);\n  target += 0.1 * sum(x * beta);") + """
generated quantities {
  array[N] int y_rep;
  for (n in 1:N) y_rep[n] = bernoulli_logit_rng(50 * x[n, 1]);
}
"""


class Mock(FitCase):
    def setUp(self):
        super().setUp()
        self.write("s.toml", SCHEMA)

    def mock(self, *flags):
        text = self.ok("mock", "m.stan", "--schema", "s.toml", *flags, cwd=self.at)
        return list(csv.DictReader(io.StringIO(text)))

    def test_records_satisfy_the_schema(self):
        rows = self.mock("--rows", "300")
        self.assertEqual(len(rows), 300)
        self.assertEqual(list(rows[0]), ["age", "ward", "visits", "outcome"])
        self.assertEqual({row["ward"] for row in rows}, {"ward, north", 'say "south"', "west"})
        self.assertEqual({row["outcome"] for row in rows}, {"alive", "dead"})
        for row in rows:
            self.assertTrue(18 <= float(row["age"]) <= 90, row)
            self.assertTrue(0 <= int(row["visits"]) <= 1000, row)

    def test_inspection_finds_nothing_wrong_and_a_fit_runs(self):
        self.ok("mock", "m.stan", "--schema", "s.toml", "--rows", "200", "--out", "d2.csv",
                cwd=self.at)
        found = self.json("inspect", "d2.csv", "--schema", "s.toml", "--model", "m.stan",
                          cwd=self.at)
        self.assertEqual((found["rows"], found["rows_of_zero"]), (200, 0))
        self.assertTrue(all(column["clamped"] == 0 for column in found["columns"]), found)
        self.fitted("--schema", "s.toml", "--epsilon", "1", "--steps", "20", data="d2.csv")

    def test_the_same_seed_gives_the_same_table(self):
        first = self.mock("--rows", "20", "--seed", "7")
        self.assertEqual(self.mock("--rows", "20", "--seed", "7"), first)
        self.assertNotEqual(self.mock("--rows", "20", "--seed", "8"), first)
        self.assertEqual(self.mock("--rows", "10", "--seed", "7"), first[:10])

    def test_outcomes_come_from_the_program_where_it_can_draw_them(self):
        made = self.json("mock", "m.stan", "--schema", "s.toml", "--rows", "5", cwd=self.at)
        self.assertEqual(made["drawn"], {"y": "model"})
        self.write("m.stan", REPLICATED)
        made = self.json("mock", "m.stan", "--schema", "s.toml", "--rows", "200", cwd=self.at)
        self.assertEqual(made["drawn"], {"y": "y_rep"})
        # The program draws death above the mean age and survival below it. At 3.5 years from the
        # mean the opposite has a probability of about 1e-5.
        wrong = sum((float(row["age"]) > 60) != (row["outcome"] == "dead")
                    for row in csv.DictReader(io.StringIO(made["csv"]))
                    if abs(float(row["age"]) - 60) > 3.5)
        self.assertEqual(wrong, 0)

    def test_outcomes_respect_the_model_block(self):
        self.write("b.stan", """data {
  int<lower=0> N;
  array[N] int<lower=0> trials;
  array[N] int<lower=0> y;
}
parameters { real alpha; }
model { alpha ~ normal(0, 1); y ~ binomial_logit(trials, alpha); }
""")
        text = self.ok("mock", "b.stan", "--rows", "300", "--quiet", cwd=self.at)
        for row in csv.DictReader(io.StringIO(text)):
            self.assertLessEqual(int(row["y"]), int(row["trials"]))

    def test_it_says_how_the_records_were_made(self):
        done = run("mock", "m.stan", "--schema", "s.toml", "--rows", "2", cwd=self.at)
        self.assertIn("no record was read", done.stderr)
        self.assertIn("y is drawn from the model block", done.stderr)
        self.write("m.stan", MODEL.replace("y ~ bernoulli_logit(alpha + x * beta)",
                                           "target += sum(x * beta)"))
        done = run("mock", "m.stan", "--schema", "s.toml", "--rows", "2", cwd=self.at)
        self.assertIn("cannot draw", done.stderr)
        self.write("m.stan", REPLICATED)
        done = run("mock", "m.stan", "--schema", "s.toml", "--rows", "2", cwd=self.at)
        self.assertIn("y is drawn by the program (y_rep)", done.stderr)
        done = run("mock", "m.stan", "--schema", "s.toml", "--rows", "2", "--quiet", cwd=self.at)
        self.assertEqual(done.stderr, "")

    def test_refusals(self):
        for flags, code, words in (
                (("--rows", "-1"), "DP102", ["--rows", "'-1'"]),
                (("--rows", "many"), "DP102", ["--rows", "'many'"]),
                (("--rows", "1", "--seed", "x"), "DP102", ["--seed", "'x'"]),
                ((), "DP103", ["--rows"])):
            with self.subTest(flags=flags):
                self.refused(code, words, "mock", "m.stan", "--schema", "s.toml", *flags,
                             cwd=self.at)
        self.refused("DP402", ["'d.csv'", "exists"], "mock", "m.stan", "--schema", "s.toml",
                     "--rows", "1", "--out", "d.csv", exit_code=73, cwd=self.at)
        self.refused("DP341", ["K"], "mock", "m.stan", "--rows", "1", exit_code=65, cwd=self.at)
        self.refused("DP301", ["none.toml"], "mock", "m.stan", "--schema", "none.toml", "--rows",
                     "1", exit_code=66, cwd=self.at)
