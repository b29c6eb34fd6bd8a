"""Tests fits of programs with several tables, from rows of one file and from several files."""
import json
import math
import os
import random

from check_tables_test import TABLES, WHERE
from fit_example import FitCase

INDICATOR = """data { int<lower=0> N; vector[N] x; vector<lower=0>[N] time;
  array[N] int<lower=0, upper=1> event; }
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1:N)
    target += event[n] * (a + b * x[n]) - exp(a + b * x[n]) * time[n];
}
"""
FILES = WHERE.replace('where = {column = "event", equals = "1"}', 'file = "obs.csv"').replace(
    'where = {column = "event", equals = "0"}', 'file = "cens.csv"')


def rows(count, seed=1):
    generator = random.Random(seed)
    made = []
    for _ in range(count):
        x = generator.gauss(0, 1)
        time, limit = generator.expovariate(math.exp(.3 - .5 * x)), generator.uniform(.2, 3)
        made.append((round(x, 3), round(min(time, limit), 3), int(time < limit)))
    return made


class FitTables(FitCase):
    def setUp(self):
        super().setUp()
        self.records = rows(400)
        self.write("m.stan", TABLES)
        self.write("one.stan", INDICATOR)
        self.write("s.toml", "[table]\nrows = 400\n" + WHERE)
        self.write("f.toml", FILES)
        self.csv("d.csv", self.records)
        for name, event in (("obs.csv", 1), ("cens.csv", 0)):
            lines = [f"{time},{x}" for x, time, seen in self.records if seen == event]
            self.write(name, "\n".join(["time,x"] + lines) + "\n")

    def csv(self, name, records):
        lines = [f"{x},{time},{seen}" for x, time, seen in records]
        self.write(name, "\n".join(["x,time,event"] + lines) + "\n")

    def fitted_files(self, *flags, out):
        self.ok("fit", "m.stan", "--out", out, *flags, cwd=self.at)

    def draws(self, out):
        text = (self.at / out / "draws.csv").read_text()
        return [line for line in text.splitlines() if line[:1] != "#"]

    def test_tables_give_the_posterior_of_one_table_with_an_indicator(self):
        flags = ("--non-private", "--sampling-rate", "1")
        self.fitted(*flags, model="one.stan", out="one")
        self.fitted(*flags, "--schema", "s.toml", out="where")
        self.fitted_files(*flags, "--schema", "f.toml", out="files")
        self.fitted_files(*flags, "--table", "N_obs=obs.csv", "--table", "N_cens=cens.csv",
                          "--schema", self.names_only(), out="flags")
        one = self.means("one")
        for other in ("where", "files", "flags"):
            for name, mean in self.means(other).items():
                self.assertAlmostEqual(mean, one[name], 4, (other, name))

    def names_only(self):
        self.write("n.toml", WHERE[WHERE.index("[model]"):])
        return "n.toml"

    def test_private_fits_state_what_one_record_is(self):
        done = self.fitted("--epsilon", "4", "--schema", "s.toml")
        self.assertIn("One record is one row of one of the tables.", done.stderr)
        statement = json.loads((self.at / "b" / "statement.json").read_text())
        self.assertIn("one row of one of the tables counted by N_obs, N_cens", statement["unit"])
        facts = statement["public_facts"]
        for words in ("table N_obs = rows with event = 1", "table N_cens = rows with event = 0"):
            self.assertTrue(any(fact.startswith(words) for fact in facts), facts)
        self.assertIn("one of the tables", (self.at / "b" / "statement.md").read_text())
        self.ok("verify", "b", cwd=self.at)
        self.fitted_files("--epsilon", "4", "--schema", "f.toml", "--rows", "400", out="files")
        statement = json.loads((self.at / "files" / "statement.json").read_text())
        self.assertIn("one row of one of the tables", statement["unit"])
        for name in ("statement.json", "run.json", "posterior.json"):
            self.assertNotIn("obs.csv", (self.at / "files" / name).read_text().replace(
                "schema.toml", ""), name)

    def test_a_dry_run_reads_no_table(self):
        text = self.ok("fit", "m.stan", "none.csv", "--schema", "s.toml", "--epsilon", "1",
                       "--dry-run", cwd=self.at)
        self.assertIn("One record is one row of one of the tables.", text)

    def test_cells_of_columns_that_a_rows_table_lacks_change_nothing(self):
        """With the same key, the same draws: other tables' columns are not read."""
        program = TABLES.replace("vector[N_obs] x_obs;", "vector[N_obs] x_obs; vector[N_obs] w;")
        program = program.replace("exp(a + b * x_obs)", "exp(a + b * x_obs + 0.1 * w)")
        self.write("m.stan", program)
        contents = {"empty": "", "text": "maybe", "huge": "1e400", "other": "-3"}
        views = {}
        for name, cell in contents.items():
            lines = [f"{x},{time},{seen},{0.5 if seen else cell}" for x, time, seen in self.records]
            self.write("d.csv", "\n".join(["x,time,event,w"] + lines) + "\n")
            self.fitted("--epsilon", "1", "--steps", "10", "--draws", "20", "--schema", "s.toml",
                        out=name, env=self.same_key())
            views[name] = self.draws(name)
        for name in contents:
            self.assertEqual(views[name], views["empty"], name)

    def same_key(self):
        return dict(os.environ, LD_PRELOAD=os.environ["DPVI_FIXED_ENTROPY"])

    def test_a_row_that_moves_between_tables_changes_numbers_and_no_words(self):
        seen = {}
        for name, last in {"event": (.5, 1.5, 1), "censored": (.5, 1.5, 0), "none": (.5, 1.5, 2),
                           "extreme": (1e308, -1e308, 1)}.items():
            self.csv("d.csv", self.records[:60] + [last])
            done = self.fitted("--epsilon", "1", "--steps", "10", "--draws", "20", "--schema",
                               "s.toml", out="b", env=self.same_key())
            files = {path.name: path.read_text(errors="replace").splitlines()
                     for path in (self.at / "b").iterdir()}
            shape = {file: len(lines) for file, lines in files.items()
                     if file not in ("posterior.json", "posterior.nc", "report.html")}
            seen[name] = (done.stdout, done.stderr, shape), self.draws("b")
            for path in (self.at / "b").iterdir():
                path.unlink()
            (self.at / "b").rmdir()
        for name, (view, draws) in seen.items():
            self.assertEqual(view, seen["event"][0], name)
        self.assertNotEqual(seen["event"][1], seen["censored"][1])
        self.assertNotEqual(seen["event"][1], seen["none"][1])

    def test_rows_of_no_table_contribute_nothing(self):
        flags = ("--non-private", "--sampling-rate", "1", "--schema", "s.toml")
        self.fitted(*flags, out="kept")
        self.csv("d.csv", self.records + [(5, 100, 2), (5, 100, "")])
        self.fitted(*flags, out="more")
        for name, mean in self.means("kept").items():
            self.assertAlmostEqual(self.means("more")[name], mean, 6)

    def test_units_may_have_rows_in_several_tables(self):
        lines = [f"{i % 100},{x},{time},{seen}" for i, (x, time, seen) in enumerate(self.records)]
        self.write("d.csv", "\n".join(["who,x,time,event"] + lines) + "\n")
        self.write("u.toml", '[table]\nunit = "who"\nmax_rows_per_unit = 4\n' + WHERE)
        flags = ("--non-private", "--sampling-rate", "1")
        self.fitted(*flags, "--schema", "u.toml", out="units")
        self.fitted(*flags, model="one.stan", out="one")
        for name, mean in self.means("one").items():
            self.assertAlmostEqual(self.means("units")[name], mean, 4)
        done = self.fitted("--epsilon", "1", "--rows", "400", "--schema", "u.toml", out="private")
        self.assertIn("all rows with the same who", done.stderr)

    def test_mock_tables_can_be_fitted_and_inspected(self):
        self.ok("mock", "m.stan", "--schema", "s.toml", "--rows", "300", "--out", "mock.csv",
                cwd=self.at)
        lines = (self.at / "mock.csv").read_text().splitlines()
        self.assertEqual(lines[0], "x,time,event")
        self.assertEqual({line.split(",")[2] for line in lines[1:]}, {"0", "1"})
        self.fitted("--epsilon", "1", "--schema", "s.toml", data="mock.csv")
        found = self.json("inspect", "mock.csv", "--schema", "s.toml", "--model", "m.stan",
                          cwd=self.at)
        self.assertEqual(found["rows"], 300)

    def test_a_bundle_predicts_for_rows_of_one_table(self):
        self.write("m.stan", TABLES + "generated quantities { vector[N_obs] mean_obs = "
                                      "exp(-a - b * x_obs); }\n")
        self.fitted("--non-private", "--schema", "s.toml")
        self.write("new.csv", "x\n0\n1\n")
        lines = self.ok("predict", "b", "new.csv", cwd=self.at).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("mean_obs_mean", lines[0])

    def test_missing_columns_and_files_are_refused(self):
        self.write("cens.csv", "time\n1\n")
        self.refused("DP321", ["'x'", "cens.csv", "N_cens"], "fit", "m.stan", "--epsilon", "1",
                     "--schema", "f.toml", "--out", "b", exit_code=65, cwd=self.at)
        self.refused("DP103", ["DATA"], "fit", "m.stan", "--epsilon", "1", "--schema", "s.toml",
                     "--out", "b", cwd=self.at)
        self.refused("DP103", ["DATA"], "fit", "m.stan", "d.csv", "--epsilon", "1", "--schema",
                     "f.toml", "--out", "b", cwd=self.at)
        self.write("cens.csv", "time,x\n1,2,3\n")
        self.refused("DP322", ["cens.csv:2"], "fit", "m.stan", "--epsilon", "1", "--schema",
                     "f.toml", "--out", "b", exit_code=65, cwd=self.at)
        self.write("d.csv", "x,time\n1,2\n")
        self.refused("DP321", ["'event'"], "fit", "m.stan", "d.csv", "--epsilon", "1",
                     "--schema", "s.toml", "--out", "b", exit_code=65, cwd=self.at)
