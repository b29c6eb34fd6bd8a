"""Tests `dpvi simulate`: fits of mock tables whose true parameters are known."""
import math
import re
import signal
import subprocess
import time

from fit_example import FitCase
from program import PROGRAM

MODEL = """data { int<lower=0> N; vector[N] a; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; real beta; }
model { alpha ~ normal(0, 1); beta ~ normal(0, 1); y ~ bernoulli_logit(alpha + beta * a); }
"""
SCHEMA = "[columns.a]\nmean = 0\nsd = 1\n"


class Simulate(FitCase):
    def setUp(self):
        super().setUp()
        self.write("m.stan", MODEL)
        self.write("s.toml", SCHEMA)
        self.flags = ("simulate", "m.stan", "--schema", "s.toml", "--quiet")

    def simulated(self, *flags):
        return self.json(*self.flags, *flags, cwd=self.at)

    def test_more_rows_and_a_larger_epsilon_give_shorter_intervals(self):
        found = self.simulated("--rows", "300,3000", "--epsilon", ".5,5", "--tables", "6")
        self.assertEqual(found["tables"], 6)
        self.assertEqual(found["outcomes"], ["y"])
        self.assertAlmostEqual(found["prior"]["alpha"]["sd"], 1, delta=.2)
        width = {}
        for cell in found["cells"]:
            self.assertEqual(sum(cell["status"].values()), 6)
            self.assertEqual(cell["posterior"], "trace")
            score = cell["variables"]["beta"]
            width[cell["rows"], cell["epsilon"]] = score["width"]
            self.assertAlmostEqual(score["width_of_prior"],
                                   score["width"] / found["prior"]["beta"]["width"])
            self.assertGreaterEqual(score["rmse"], abs(score["bias"]))
        self.assertLess(width[3000, .5], width[300, .5])
        self.assertLess(width[3000, 5], width[300, 5])
        self.assertLess(1.5 * width[300, 5], width[300, .5])

    # At a coverage of .75 or more, 40 intervals contain the truth 20 times with a probability of
    # 1 - 4e-4 in the worst case, and 1 - 1e-9 at 90 %.
    def test_intervals_of_twenty_tables_contain_most_truths(self):
        cell = self.simulated("--rows", "1000", "--epsilon", "2", "--tables", "20")["cells"][0]
        covered = sum(20 * score["coverage"] for score in cell["variables"].values())
        self.assertGreater(covered, 20)

    # The forecast knows no draws of the true parameters, of which ten are seen here: on average, it
    # is 1.2 times smaller than the spread of these fits.
    def test_the_dry_run_forecasts_what_fits_of_mock_tables_give(self):
        forecast = self.json("fit", "m.stan", "none.csv", "--schema", "s.toml", "--rows", 2000,
                             "--epsilon", 1, "--dry-run", cwd=self.at)["forecast"]
        scores = self.simulated("--rows", "2000", "--epsilon", "1", "--tables",
                                "10")["cells"][0]["variables"]
        for i, name in enumerate(forecast["names"]):
            sd = math.hypot(forecast["noise_sd"][i], forecast["posterior_sd"][i])
            self.assertLess(scores[name]["sd"] / sd, 2, name)
            self.assertGreater(scores[name]["sd"] / sd, .6, name)

    def test_named_settings_are_compared_on_the_same_tables(self):
        self.write("f.toml", "delta = 1e-5\n[measured]\nposterior = \"trace\"\n"
                             "[steps]\nsteps = 50\nsampling-rate = 0.5\n")
        found = self.simulated("--rows", "300", "--epsilon", "1", "--tables", "2", "--settings",
                               "f.toml")
        self.assertEqual([cell["settings"] for cell in found["cells"]], ["measured", "steps"])
        self.assertEqual([cell["posterior"] for cell in found["cells"]], ["trace", "variational"])
        self.assertEqual({cell["delta"] <= 1e-5 for cell in found["cells"]}, {True})
        self.write("f.toml", "[a]\nstep = 50\n")
        self.refused("DP101", ["unknown key 'step'", "'steps'"], *self.flags, "--rows", "300",
                     "--epsilon", "1", "--settings", "f.toml", cwd=self.at)

    def test_text_and_page_show_every_parameter(self):
        text = self.ok(*self.flags, "--rows", "300,600", "--epsilon", "1", "--tables", "2",
                       "--html", "p.html", cwd=self.at)
        self.assertEqual(len(re.findall(r"^  beta ", text, re.M)), 2)
        self.assertIn("2 mock tables (seed 1)", text)
        page = (self.at / "p.html").read_text()
        self.assertIn("beta: interval against rows", page)

    def test_rows_are_those_of_the_schema_unless_given(self):
        self.write("s.toml", "[table]\nrows = 400\n" + SCHEMA)
        self.assertEqual(self.simulated("--epsilon", "1", "--tables", "1")["cells"][0]["rows"], 400)

    def test_a_hierarchy_draws_its_scale_from_the_prior(self):
        self.write("m.stan", """data {
  int<lower=0> N; int<lower=1> J; array[N] int<lower=1, upper=J> g; vector[N] y;
}
parameters { real<lower=0> tau; vector[J] effect; }
model { tau ~ lognormal(-1, 0.5); effect ~ normal(0, tau); y ~ normal(effect[g], 1); }
""")
        levels = ", ".join(f'"{i}"' for i in range(8))
        self.write("s.toml", f"[columns.g]\nlevels = [{levels}]\n[columns.y]\nmean = 0\nsd = 1\n")
        found = self.simulated("--rows", "2000", "--epsilon", "3", "--tables", "2")
        # The 90 % interval of a log-normal number: exp(-1 - .82) to exp(-1 + .82).
        self.assertAlmostEqual(found["prior"]["tau"]["width"], .674, delta=.1)
        self.assertEqual(len(found["cells"][0]["variables"]), 9)

    def test_what_is_missing_is_said(self):
        self.refused("DP103", ["--epsilon is missing"], *self.flags, "--rows", "10", cwd=self.at)
        self.refused("DP103", ["--rows is missing"], *self.flags, "--epsilon", "1", cwd=self.at)
        self.refused("DP102", ["--rows"], *self.flags, "--epsilon", "1", "--rows", "10,-1",
                     cwd=self.at)

    def test_interrupted_it_ends_with_130(self):
        process = subprocess.Popen(
            [PROGRAM, "simulate", "m.stan", "--schema", "s.toml", "--rows", "300", "--epsilon", "1",
             "--tables", "100000"],
            cwd=self.at, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertIsNone(process.poll())
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.assertEqual(process.stdout.read(), "")
        self.assertIn("error[DP501]", process.stderr.read())
