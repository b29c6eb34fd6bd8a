"""Models with very many parameters: their cost is linear, and their results stay bounded."""
import os
import random

from fit_example import FitCase
from program import run

MODEL = """data { int N; int J; array[N] int<lower=1, upper=J> g; vector[N] y; }
parameters { real mu; vector[J] a; }
model {
  mu ~ normal(0, 1);
  a ~ normal(mu, 1);
  y ~ normal(a[g], 1);
}
"""
FLAGS = ("--noise-multiplier", "2", "--clip-bound", "2", "--init", "zero", "--steps", "20",
         "--posterior", "variational", "--one-row-per-person")


class ManyParameters(FitCase):
    def setUp(self):
        self.at = self.folder()
        draws = random.Random(1)
        self.write("m.stan", MODEL)
        self.write("d.csv", "g,y\n" + "".join(
            f"{draws.randint(1, 5000)},{draws.uniform(-3, 3):.3f}\n" for _ in range(2000)))

    def seconds(self, groups, out):
        """Processor time of a fit."""
        before = os.times()
        self.fitted(*FLAGS, "-D", f"J={groups}", "--draws", "20", "--threads", "1", "--quiet", out=out)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def test_time_and_files_grow_in_proportion(self):
        small, large = self.seconds(5000, "small"), self.seconds(40000, "large")
        # Eight times as many parameters; quadratic parts would take 64 times as long.
        self.assertLess(large, 24 * small)
        size = sum(file.stat().st_size for file in (self.at / "large").iterdir())
        self.assertLess(size, 40000 * 2000)

    def test_more_draws_than_memory_holds_are_refused_before_anything_is_spent(self):
        done = run("fit", "m.stan", "d.csv", *FLAGS, "-D", "J=50000", "--draws", "2000",
                   "--out", "b", cwd=self.at)
        self.assertEqual(done.returncode, 64, done.stderr)
        for word in ("2000 draws of 50002 numbers", "--draws 1342"):
            self.assertIn(word, done.stderr)
        self.assertFalse((self.at / "b").exists())
