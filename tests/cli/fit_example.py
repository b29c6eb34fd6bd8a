"""A small logistic regression for the tests of `dpvi fit`: a program, a table and a test folder."""
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

    def outsiders_view(self, name, content, *flags, data="d.csv"):
        """Returns all that an outsider sees of a private fit, except the result's numbers."""
        folder = self.at / name
        folder.mkdir()
        for file in self.at.iterdir():
            if file.suffix in (".stan", ".toml"):
                (folder / file.name).write_text(file.read_text())
        (folder / data).write_bytes(content)
        self.at, kept = folder, self.at
        try:
            done = self.fitted("--epsilon", "1", "--steps", "200", *flags, data=data)
            for mean in self.means().values():
                self.assertTrue(math.isfinite(mean), name)
            files = sorted(path.name for path in folder.rglob("*"))
            statement = json.loads((folder / "b" / "statement.json").read_text())
        finally:
            self.at = kept
        del statement["last_clip_bound"], statement["accuracy"]  # releases, like the posterior
        del statement["date"]
        return done.stdout, done.stderr, files, statement

    def means(self, out="b"):
        return {name: value["mean"] for name, value in
                self.json("summary", self.at / out)["variables"].items()}
