"""A small logistic regression for the tests of `dpvi fit`: program, table, and a folder for each."""
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

HEADER = "x.1,x.2,y"
TRUTH = {"alpha": .5, "beta[1]": 1, "beta[2]": -.5}


def table(rows, seed=1):
    generator = random.Random(seed)
    lines = [HEADER]
    for _ in range(rows):
        a, b = generator.gauss(0, 1), generator.gauss(0, 1)
        p = 1 / (1 + math.exp(-(0.5 + a - 0.5 * b)))
        lines.append(f"{a:.4f},{b:.4f},{int(generator.random() < p)}")
    return lines


class FitCase(ProgramTest):
    rows = 400

    def setUp(self):
        self.at = self.folder()
        self.write("m.stan", MODEL)
        self.write("d.csv", "\n".join(table(self.rows)) + "\n")

    def write(self, name, content):
        path = self.at / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def fit(self, *flags, model="m.stan", data="d.csv", out="b", **options):
        return run("fit", model, data, "--out", out, *flags, cwd=self.at, **options)

    def fitted(self, *flags, **options):
        done = self.fit(*flags, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def means(self, out="b"):
        return {name: value["mean"] for name, value in
                self.json("summary", self.at / out)["variables"].items()}
