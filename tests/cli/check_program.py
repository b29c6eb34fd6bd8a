"""Shared by the tests of `dpvi check`: two programs and the functions that check them."""
import json

from fit_example import MODEL
from program import ProgramTest, run

LOGISTIC = MODEL + """generated quantities {
  real odds = exp(alpha);
  vector[N] fitted = inv_logit(alpha + x * beta);
}
"""

NORMAL = """data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
"""


class CheckTest(ProgramTest):
    def setUp(self):
        self.at = self.folder()

    def write(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content)
        (self.at / name).write_text(text)
        return self.at / name

    def check(self, program, *flags, code=0):
        """Returns the JSON document of a program's check."""
        done = run("check", self.write("m.stan", program), "--json", *flags)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["ok"], code == 0)
        return document

    def finding(self, program, *flags, code="", line=None, words=()):
        """Asserts that the program is refused with an error of this code, line and words."""
        document = self.check(program, *flags, code=65)
        errors = [f for f in document["findings"] if f["severity"] == "error"]
        fitting = [f for f in errors if f["code"] == code and line in (None, f["line"])]
        self.assertTrue(fitting, document["findings"])
        for word in words:
            self.assertIn(word, fitting[0]["message"])
        return fitting[0]

    def points(self, program, data, points, *flags, code=0):
        document = self.check(program, "--data", self.write("d.json", data), "--at",
                              self.write("p.json", points), *flags, code=code)
        return document["points"] if code == 0 else document["findings"]
