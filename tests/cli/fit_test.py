"""`dpvi fit`: a private posterior from a program and a table, and what it must never show."""
import json
import math
import random

from program import ProgramTest, run

MODEL = """data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  y ~ bernoulli_logit(alpha + x * beta);
}
"""


def table(rows, seed=1):
    generator = random.Random(seed)
    lines = ["x.1,x.2,y"]
    for _ in range(rows):
        a, b = generator.gauss(0, 1), generator.gauss(0, 1)
        p = 1 / (1 + math.exp(-(0.5 + a - 0.5 * b)))
        lines.append(f"{a:.4f},{b:.4f},{int(generator.random() < p)}")
    return lines


class Fit(ProgramTest):
    def setUp(self):
        self.at = self.folder()
        (self.at / "m.stan").write_text(MODEL)
        (self.at / "d.csv").write_text("\n".join(table(4000)) + "\n")

    def fit(self, *flags, data="d.csv", out="b"):
        return run("fit", self.at / "m.stan", self.at / data, "--out", self.at / out, *flags)

    def means(self, out="b"):
        return {name: value["mean"] for name, value in
                self.json("summary", self.at / out)["variables"].items()}

    def test_unprotected_fit_finds_the_coefficients_and_is_stamped(self):
        self.assertEqual(self.fit("--non-private", "--family", "full-rank").returncode, 0)
        means = self.means()
        for name, truth in (("alpha", .5), ("beta[1]", 1), ("beta[2]", -.5)):
            self.assertAlmostEqual(means[name], truth, delta=.15)  # four standard errors
        self.assertIn("NOT PRIVATE", self.ok("summary", self.at / "b"))

    def test_private_fit_recovers_the_coefficients_within_its_noise(self):
        done = self.fit("--epsilon", "3", "--rows", "4000")
        self.assertEqual(done.returncode, 0, done.stderr)
        means = self.means()
        # Clipping shrinks or stretches a little; the noise's own standard deviation is about .03.
        for name, truth in (("alpha", .5), ("beta[1]", 1), ("beta[2]", -.5)):
            self.assertAlmostEqual(means[name], truth, delta=.3)
        statement = json.loads((self.at / "b" / "statement.json").read_text())
        self.assertLessEqual(statement["epsilon"], 3)

    def test_two_private_runs_differ(self):
        self.fit("--epsilon", "1", out="one")
        self.fit("--epsilon", "1", out="two")
        self.assertNotEqual(self.means("one"), self.means("two"))

    def test_threads_do_not_change_an_unprotected_fit(self):
        for threads in ("1", "3"):
            self.fit("--non-private", "--threads", threads, "--steps", "50", out=threads)
        self.assertEqual((self.at / "1" / "posterior.json").read_text(),
                         (self.at / "3" / "posterior.json").read_text())

    def test_cells_never_show(self):
        """Whatever cells hold, exit code and messages are those of an ordinary table."""
        usual = self.fit("--epsilon", "1", "--rows", "100", out="usual")
        hostile = {
            "header only": ["x.1,x.2,y"],
            "one row": table(1),
            "missing": ["x.1,x.2,y"] + [",,"] * 50,
            "absurd": ["x.1,x.2,y", "1e400,nan,1", "inf,-inf,7", "x,y,z", "1e308,-1e308,0"],
        }
        for name, lines in hostile.items():
            (self.at / "h.csv").write_text("\n".join(lines) + "\n")
            done = self.fit("--epsilon", "1", "--rows", "100", data="h.csv", out=name)
            self.assertEqual((done.returncode, done.stderr), (0, usual.stderr), name)
            for summary in self.json("summary", self.at / name)["variables"].values():
                self.assertTrue(math.isfinite(summary["mean"]), name)

    def test_refusals_leave_nothing_behind(self):
        self.refused("DP103", ["--epsilon"], "fit", self.at / "m.stan", self.at / "d.csv", "--out",
                     self.at / "b")
        self.refused("DP103", ["--seed"], "fit", self.at / "m.stan", self.at / "d.csv", "--out",
                     self.at / "b", "--epsilon", 1, "--seed", 3)
        self.refused("DP301", ["none.csv"], "fit", self.at / "m.stan", self.at / "none.csv", "--out",
                     self.at / "b", "--epsilon", 1, exit_code=66)
        (self.at / "ragged.csv").write_text("x.1,x.2,y\n1,2\n")
        done = self.fit("--epsilon", "1", data="ragged.csv")
        self.assertEqual(done.returncode, 65)
        self.assertIn("ragged.csv:2", done.stderr)
        self.assertFalse((self.at / "b").exists())
        (self.at / "b").mkdir()
        self.assertEqual(self.fit("--epsilon", "1").returncode, 73)

    def test_dry_run_opens_no_private_file(self):
        text = self.ok("fit", self.at / "m.stan", self.at / "not-there.csv", "--epsilon", 1, "-D",
                       "K=2", "--rows", 4000, "--dry-run")
        self.assertIn("noise sd", text)
