"""Tests `dpvi synth`: synthetic tables drawn at posterior draws of a bundle."""
import csv
import json
import math
import shutil

from fit_example import MODEL, FitCase
from program import run

REPLICATED = MODEL + """generated quantities {
  array[N] int y_rep = bernoulli_logit_rng(alpha + x * beta);
}
"""


class Synth(FitCase):
    rows = 2000

    def setUp(self):
        super().setUp()
        self.write("m.stan", REPLICATED)
        self.fitted("--non-private", "--steps", "200")
        for name in ("m.stan", "d.csv"):
            (self.at / name).unlink()

    def tables(self, folder):
        paths = sorted((self.at / folder).glob("synthetic_*.csv"))
        return [list(csv.DictReader(path.read_text().splitlines())) for path in paths]

    def test_tables_have_the_columns_of_the_fit_and_follow_the_model(self):
        self.ok("synth", "b", "--rows", "4000", "--datasets", "3", "--out", "s", cwd=self.at)
        tables = self.tables("s")
        self.assertEqual([len(rows) for rows in tables], [4000] * 3)
        self.assertNotEqual(tables[0], tables[1])
        means = self.means()
        for rows in tables:
            self.assertEqual(list(rows[0]), ["x.1", "x.2", "y"])
            expected = [1 / (1 + math.exp(-means["alpha"] - means["beta[1]"] * float(row["x.1"])
                                          - means["beta[2]"] * float(row["x.2"]))) for row in rows]
            share = sum(int(row["y"]) for row in rows) / len(rows)
            # The tolerance is five standard errors of 4000 draws plus five posterior sds.
            self.assertAlmostEqual(share, sum(expected) / len(rows), delta=.04 + .05)
        facts = json.loads((self.at / "s/synth.json").read_text())
        self.assertEqual((facts["private"], facts["datasets"], facts["drawn"]),
                         (False, 3, {"y": "y_rep"}))

    def test_synthetic_tables_can_be_fitted_again(self):
        self.ok("synth", "b", "--rows", "4000", "--out", "s", cwd=self.at)
        shutil.copy(self.at / "s/synthetic_1.csv", self.at / "d.csv")
        self.write("m.stan", REPLICATED)
        before = self.means()
        self.fitted("--non-private", "--steps", "200", out="again")
        for name, value in self.means("again").items():
            # The tolerance is about five standard errors of such a fit.
            self.assertAlmostEqual(value, before[name], delta=.35)

    def test_covariates_come_from_a_public_file(self):
        self.write("c.csv", "x.2,x.1,extra\n10,20,a\n-10,-20,b\n,1,c\n")
        done = run("synth", "b", "--rows", "5", "--covariates", "c.csv", "--out", "s", cwd=self.at)
        self.assertIn("1 covariate rows", done.stderr)
        self.assertEqual([(row["x.1"], row["x.2"]) for row in self.tables("s")[0]],
                         [("20", "10"), ("-20", "-10")] * 2 + [("20", "10")])
        self.ok("synth", "b", "--covariates", "c.csv", "--out", "t", "--quiet", cwd=self.at)
        self.assertEqual(len(self.tables("t")[0]), 2)

    def test_the_seed_repeats_and_threads_change_nothing(self):
        for name, flags in (("s", ("--threads", "1")), ("t", ("--threads", "2")),
                            ("u", ("--seed", "2"))):
            self.ok("synth", "b", "--rows", "300", "--out", name, *flags, cwd=self.at)
        self.assertEqual(self.tables("s"), self.tables("t"))
        self.assertNotEqual(self.tables("s"), self.tables("u"))

    def test_a_program_that_draws_nothing_is_refused_with_what_to_add(self):
        self.write("m.stan", MODEL)
        self.write("d.csv", "x.1,x.2,y\n1,2,0\n")
        self.fitted("--non-private", "--steps", "5", out="plain")
        self.refused("DP205", ["'y'", "y_rep", "_rng"], "synth", "plain", "--rows", "5", "--out",
                     "s", exit_code=65, cwd=self.at)
        self.assertFalse((self.at / "s").exists())

    def test_refusals_leave_nothing(self):
        for flags, code, words, exit_code in (
                (("--rows", "5"), "DP103", ["--out"], 64),
                (("--out", "s"), "DP103", ["--rows"], 64),
                (("--rows", "x", "--out", "s"), "DP102", ["--rows"], 64),
                (("--rows", "5", "--datasets", "0", "--out", "s"), "DP102", ["--datasets"], 64),
                (("--rows", "1e7", "--datasets", "2", "--out", "s"), "DP105", ["1"], 64),
                (("--rows", "5", "--replicate", "y", "--out", "s"), "DP102", ["VARIABLE"], 64),
                (("--rows", "5", "--replicate", "y=z", "--out", "s"), "DP102", ["'z'"], 64),
                (("--rows", "5", "--out", "b"), "DP402", ["'b'"], 73),
                (("--rows", "5", "--covariates", "no.csv", "--out", "s"), "DP301", ["no.csv"], 66)):
            with self.subTest(flags=flags):
                self.refused(code, words, "synth", "b", *flags, exit_code=exit_code, cwd=self.at)
        self.write("c.csv", "x.1\n1\n")
        self.refused("DP321", ["x.2"], "synth", "b", "--covariates", "c.csv", "--out", "s",
                     exit_code=65, cwd=self.at)
        self.write("c.csv", "x.1,x.2\n,1\n")
        self.refused("DP360", ["c.csv"], "synth", "b", "--covariates", "c.csv", "--out", "s",
                     exit_code=65, cwd=self.at)
        self.assertEqual(sorted(path.name for path in self.at.iterdir()), ["b", "c.csv"])
