"""Tests records of several rows: the schema's unit, from `schema` and `mock` to the statement."""
import csv
import io
import json
import random

from fit_example import FitCase, table
from program import run

UNIT = '[table]\nrows = 400\nunit = "who"\nmax_rows_per_unit = 4\n'


def with_units(lines, ids):
    """Puts an id before each line of the table."""
    return "\n".join(["who," + lines[0]] + [f"{who},{line}" for who, line in zip(ids, lines[1:])])


class Units(FitCase):
    def setUp(self):
        super().setUp()
        self.write("s.toml", UNIT)
        self.lines = table(self.rows)
        ids = [i % 130 for i in range(self.rows)]
        self.write("u.csv", with_units(self.lines, ids) + "\n")

    def bundle(self, name, out="b"):
        return json.loads((self.at / out / name).read_text())

    def test_a_private_fit_states_what_one_record_is(self):
        done = self.fitted("--epsilon", "4", "--schema", "s.toml", data="u.csv")
        self.assertIn("One record is all rows with the same who; the first 4 rows of each are "
                      "used.\n", done.stderr)
        self.assertIn("Forecast for 100 records of 4 rows each, based on mock records", done.stderr)
        statement = self.bundle("statement.json")
        self.assertIn("all rows of the table with the same who", statement["unit"])
        self.assertTrue(any(fact.startswith("unit = who, at most 4 rows of each")
                            for fact in statement["public_facts"]), statement["public_facts"])
        self.assertTrue(any(words.startswith("Ids are correct") for words in
                            statement["assumptions"]))
        configuration = self.bundle("run.json")["configuration"]
        self.assertEqual((configuration["unit"], configuration["max_rows_per_unit"]), ("who", 4))
        self.assertIn("with the same who", (self.at / "b" / "statement.md").read_text())

    def test_without_units_the_output_does_not_mention_them(self):
        done = self.fitted("--epsilon", "4", "--rows", "400")
        self.assertNotIn("One record is", done.stderr)
        self.assertEqual(self.bundle("statement.json")["unit"], "one record: one row of the table")
        self.assertIsNone(self.bundle("run.json")["configuration"]["unit"])

    def test_unprotected_fits_by_unit_and_by_row_agree_where_no_row_is_left_out(self):
        self.fitted("--non-private", "--sampling-rate", "1", out="rows")
        self.fitted("--non-private", "--sampling-rate", "1", "--schema", "s.toml", data="u.csv",
                    out="units")
        by_row, by_unit = self.means("rows"), self.means("units")
        for name, mean in by_row.items():
            self.assertAlmostEqual(by_unit[name], mean, places=6)

    def test_only_the_first_rows_of_a_unit_count(self):
        kept = [self.lines[0]] + self.lines[1:401:2]
        self.write("kept.csv", "\n".join(kept) + "\n")
        self.fitted("--non-private", "--sampling-rate", "1", data="kept.csv", out="kept")
        # Every second row is the second row of its unit, lacks an id, or both.
        ids = [i // 2 if i % 4 != 3 else "" for i in range(400)]
        self.write("u.csv", with_units(self.lines, ids) + "\n")
        self.write("s.toml", UNIT.replace("= 4", "= 1"))
        self.fitted("--non-private", "--sampling-rate", "1", "--schema", "s.toml", data="u.csv",
                    out="units")
        kept, units = self.means("kept"), self.means("units")
        for name, mean in kept.items():
            self.assertAlmostEqual(units[name], mean, places=6)

    def test_stan_json_may_name_units_too(self):
        rows = [line.split(",") for line in self.lines[1:]]
        data = {"N": len(rows), "K": 2, "x": [[float(a), float(b)] for a, b, _ in rows],
                "y": [int(y) for _, _, y in rows], "who": [i % 130 for i in range(len(rows))]}
        self.write("u.json", json.dumps(data))
        for file in ("u.csv", "u.json"):
            self.fitted("--non-private", "--schema", "s.toml", data=file, out=file + ".b")
        self.assertEqual(self.means("u.csv.b"), self.means("u.json.b"))

    def test_a_dry_run_forecasts_for_units(self):
        text = self.ok("fit", "m.stan", "none.csv", "--schema", "s.toml", "-D", "K=2",
                       "--epsilon", "1", "--dry-run", cwd=self.at)
        self.assertIn("One record is all rows with the same who; the first 4", text)
        self.assertIn("One record is all rows with the same who. Replacing it", text)
        self.assertNotIn("one row of the table", text)
        found = self.json("fit", "m.stan", "none.csv", "--schema", "s.toml", "-D", "K=2",
                          "--epsilon", "1", "--dry-run", cwd=self.at)["forecast"]
        self.assertEqual((found["rows"], found["records"], found["rows_per_record"]), (400, 100, 4))

    def test_a_program_that_reads_the_units_column_as_a_number_is_refused(self):
        self.write("i.stan", """data { int N; vector[N] who; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; }
model { alpha ~ normal(0, 1); y ~ bernoulli_logit(alpha * who); }
""")
        words = ["'who' (vector[N]) reads column 'who'", "unit of privacy"]
        for data in ("u.csv", "none.csv"):
            flags = [] if data == "u.csv" else ["--dry-run"]
            self.refused("DP340", words, "fit", "i.stan", data, "--schema", "s.toml",
                         "--epsilon", "1", "--out", "b", *flags, exit_code=65, cwd=self.at)
        done = run("check", "i.stan", "--schema", "s.toml", cwd=self.at)
        self.assertEqual(done.returncode, 65)
        self.assertIn("unit of privacy", done.stderr)
        text = self.ok("check", "m.stan", "--schema", "s.toml", "-D", "K=2", cwd=self.at)
        self.assertIn("One record is all rows of the table with the same who (the first 4 are "
                      "used); N counts rows.", text)

    def test_a_table_without_the_units_column_is_refused(self):
        self.refused("DP321", ["s.toml:3:8", "column 'who' is not in the header"], "fit", "m.stan",
                     "d.csv", "--schema", "s.toml", "--epsilon", "1", "--out", "b", exit_code=65,
                     cwd=self.at)

    def test_inspection_counts_units_and_rows_left_out(self):
        ids = ["", "NA"] + ["a"] * 6 + list(range(392))
        self.write("u.csv", with_units(self.lines, ids) + "\n")
        for flags in ((), ("--model", "m.stan")):
            found = self.json("inspect", "u.csv", "--schema", "s.toml", *flags, cwd=self.at)
            self.assertEqual(found["unit"], {"column": "who", "max_rows_per_unit": 4, "units": 393,
                                             "rows_without_id": 2, "rows_beyond_limit": 2})
            self.assertEqual(found["rows_of_zero"], 4)
            self.assertNotIn("who", [column["name"] for column in found["columns"]])
        text = self.ok("inspect", "u.csv", "--schema", "s.toml", cwd=self.at)
        self.assertIn("393 units by who. Left out: 2 rows without an id and 2 rows beyond the "
                      "first 4 of their unit.", text)
        self.assertIsNone(self.json("inspect", "d.csv", "--model", "m.stan", cwd=self.at)["unit"])

    def test_inspecting_first_stops_where_no_row_has_an_id(self):
        self.write("u.csv", with_units(self.lines, [""] * 400) + "\n")
        self.refused("DP360", ["no usable cell"], "fit", "m.stan", "u.csv", "--schema", "s.toml",
                     "--epsilon", "1", "--inspect-first", "--out", "b", exit_code=65, cwd=self.at)

    def test_mock_tables_have_units_and_can_be_fitted(self):
        text = self.ok("mock", "m.stan", "--schema", "s.toml", "-D", "K=2", "--rows", "300",
                       cwd=self.at)
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(list(rows[0]), ["who", "x.1", "x.2", "y"])
        counts = [sum(row["who"] == str(unit) for row in rows) for unit in range(1, 60)]
        self.assertEqual(set(counts), {1, 2, 3, 4})
        self.write("mock.csv", text)
        found = self.json("inspect", "mock.csv", "--schema", "s.toml", cwd=self.at)
        self.assertEqual(found["rows_of_zero"], 0)
        self.fitted("--epsilon", "1", "--schema", "s.toml", data="mock.csv")

    def test_the_schema_to_complete_offers_a_unit(self):
        text = self.ok("schema", "m.stan", "u.csv", cwd=self.at)
        self.assertIn("# unit = ", text)
        self.assertIn("# max_rows_per_unit = ", text)


class HostileUnits(FitCase):
    """The assignment of rows to units never changes what an outsider sees, except the numbers of
    the result."""

    def test_messages_exit_code_and_files_do_not_depend_on_ids(self):
        lines = table(200)
        shuffled = [i % 70 for i in range(200)]
        random.Random(3).shuffle(shuffled)
        for most in (1, 4):
            self.write("s.toml", UNIT.replace("= 4\n", f"= {most}\n"))
            ids = {
                "usual": [i // 3 for i in range(200)],
                "one_huge_unit": ["x"] * 200,
                "no_ids": [""] * 200,
                "named_missing": ["NA"] * 200,
                "every_row_its_own": range(200),
                "shuffled": shuffled,
                "long_ids": ["7" * 5000 + str(i % 50) for i in range(200)],
                "bad_bytes": ['"a,\n\xff""' + str(i % 9) + '"' for i in range(200)],
            }
            tables = {name: with_units(lines, those).encode("latin-1") + b"\n"
                      for name, those in ids.items()}
            tables["header_only"] = b"who,x.1,x.2,y\n"
            seen = {name: self.outsiders_view(f"{name}_{most}", content, "--schema", "s.toml")
                    for name, content in tables.items()}
            for name, view in seen.items():
                self.assertEqual(view, seen["usual"], name)


# A random intercept of each unit, and carry-over between its rows.
TOGETHER = """data {
  int<lower=0> N;
  int<lower=0> J;
  int<lower=1> K;
  array[N] int<lower=1, upper=J> who;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters { real alpha; vector[K] beta; real rho; real<lower=0> tau; vector[J] z; }
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  rho ~ normal(0, 1);
  tau ~ normal(0, 1);
  z ~ normal(0, tau);
  for (n in 1:N) {
    real eta = alpha + x[n] * beta + z[who[n]];
    if (n > 1 && who[n] == who[n - 1]) eta += rho * y[n - 1];
    y[n] ~ bernoulli_logit(eta);
  }
}
"""


class UnitsUsedTogether(FitCase):
    def setUp(self):
        super().setUp()
        self.write("m.stan", TOGETHER)
        self.write("s.toml", UNIT)
        self.lines = table(self.rows)
        self.ids = [i // 3 for i in range(self.rows)]
        self.write("u.csv", with_units(self.lines, self.ids) + "\n")

    def fit_units(self, *flags, data="u.csv", out="b"):
        return self.fitted("--steps", "20", "--schema", "s.toml", *flags, data=data, out=out)

    def test_a_private_fit_releases_no_effect_of_a_unit(self):
        done = self.fit_units("--epsilon", "4")
        self.assertIn("One record is all rows with the same who", done.stderr)
        names = set(self.means("b"))
        self.assertEqual(names, {"alpha", "beta[1]", "beta[2]", "rho", "tau"})
        statement = (self.at / "b" / "statement.json").read_text()
        self.assertIn("Latent variables of each record are integrated out", statement)

    def test_where_the_rows_of_a_unit_lie_does_not_matter(self):
        self.fit_units("--non-private", "--sampling-rate", "1", out="adjacent")
        rows = list(zip(self.ids, self.lines[1:]))
        apart = [row for part in range(3) for row in rows[part::3]]  # keeps their order in a unit
        self.write("apart.csv", with_units([self.lines[0]] + [line for _, line in apart],
                                           [who for who, _ in apart]) + "\n")
        self.fit_units("--non-private", "--sampling-rate", "1", data="apart.csv", out="apart")
        apart, adjacent = self.means("apart"), self.means("adjacent")
        for name, mean in adjacent.items():
            self.assertAlmostEqual(apart[name], mean, places=5)

    def test_rows_beyond_the_limit_and_unusable_rows_do_not_count(self):
        rows = [f"{who},{line}" for who, line in zip(self.ids, self.lines[1:])]
        self.write("s.toml", UNIT.replace("= 4\n", "= 3\n"))
        self.fit_units("--non-private", "--sampling-rate", "1", out="plain")
        more = []
        for at, row in enumerate(rows):
            more.append(row)
            if at % 3 == 2:
                more.append(f"{self.ids[at]},9,9,1")
        self.write("more.csv", "\n".join(["who," + self.lines[0]] + more) + "\n")
        self.fit_units("--non-private", "--sampling-rate", "1", data="more.csv", out="more")
        self.assertEqual(self.means("plain"), self.means("more"))
        self.write("s.toml", UNIT)
        broken = [part for row in rows for part in (
            [row.split(",")[0] + ",0.5,nonsense,1", row] if row is rows[3] else [row])]
        self.write("broken.csv", "\n".join(["who," + self.lines[0]] + broken) + "\n")
        self.fit_units("--non-private", "--sampling-rate", "1", out="plain4")
        self.fit_units("--non-private", "--sampling-rate", "1", data="broken.csv", out="broken")
        self.assertEqual(self.means("plain4"), self.means("broken"))

    def test_effects_without_a_decision_are_refused_before_rows_are_read(self):
        text = TOGETHER.replace("who", "person")
        self.write("p.stan", text)
        self.write("p.csv", (self.at / "u.csv").read_text().replace("who,", "person,", 1))
        self.refused("DP341", ["'z' has a value for each level of 'person'", "public_levels = true",
                               'unit = "person"'],
                     "fit", "p.stan", "p.csv", "--epsilon", "1", "--out", "b", "-D", "J=134",
                     exit_code=65, cwd=self.at)
        self.assertFalse((self.at / "b").exists())

    def test_what_an_outsider_sees_does_not_depend_on_ids_or_rows(self):
        lines = table(120)
        ids = {
            "usual": [i // 3 for i in range(120)],
            "one_huge_unit": ["x"] * 120,
            "no_ids": [""] * 120,
            "every_row_its_own": range(120),
            "shuffled": random.Random(3).sample([i % 40 for i in range(120)], 120),
        }
        tables = {name: with_units(lines, those) + "\n" for name, those in ids.items()}
        tables["header_only"] = "who,x.1,x.2,y\n"
        tables["no_numbers"] = "who,x.1,x.2,y\n" + "1,NaN,1e400,7\n" * 50
        seen = {name: self.outsiders_view(name, content.encode(), "--schema", "s.toml")
                for name, content in tables.items()}
        for name, view in seen.items():
            self.assertEqual(view, seen["usual"], name)


class IdColumns(FitCase):
    """A column that looks like an id asks what one record is."""
    rows = 100
    FIT = ("--epsilon", "4", "--steps", "5", "--quiet")

    def setUp(self):
        super().setUp()
        lines = table(self.rows)
        self.write("p.csv", "\n".join(["patient_id," + lines[0]] +
                                      [f"{i},{line}" for i, line in enumerate(lines[1:])]) + "\n")
        self.write("one.toml", "[table]\none_row_per_person = true\n")
        self.write("unit.toml", '[table]\nunit = "patient_id"\nmax_rows_per_unit = 2\n')

    def refused(self, data, *flags):
        done = run("fit", "m.stan", data, *self.FIT, "--out", "b", *flags, cwd=self.at)
        self.assertEqual(done.returncode, 65, done.stderr)
        for words in ("DP342", "looks like an id", 'unit = "', "max_rows_per_unit",
                      "one_row_per_person = true"):
            self.assertIn(words, done.stderr)
        self.assertFalse((self.at / "b").exists())
        return done.stderr

    def test_an_undecided_table_is_refused_whatever_its_cells(self):
        with_rows = self.refused("p.csv")
        self.assertNotIn("patient_id", with_rows)
        header = (self.at / "p.csv").read_text().splitlines()[0]
        self.write("p.csv", header + "\n")
        self.assertEqual(self.refused("p.csv"), with_rows)

    def test_either_line_decides_and_the_statement_lists_the_assumption(self):
        self.fitted(*self.FIT, "--schema", "one.toml", data="p.csv", out="one")
        self.fitted(*self.FIT, "--one-row-per-person", data="p.csv", out="flag")
        self.fitted(*self.FIT, "--schema", "unit.toml", data="p.csv", out="unit")
        for out, declared in (("one", True), ("flag", True), ("unit", False)):
            statement = json.loads((self.at / out / "statement.json").read_text())
            self.assertEqual(any(words.startswith("No person has two rows")
                                 for words in statement["assumptions"]), declared)
        done = run("fit", "m.stan", "p.csv", *self.FIT, "--out", "b", "--schema", "unit.toml",
                   "--one-row-per-person", cwd=self.at)
        self.assertEqual(done.returncode, 64, done.stderr)

    def test_stan_json_is_asked_too(self):
        data = {"N": 3, "K": 2, "y": [0, 1, 0], "x": [[1, 2], [2, 3], [0, 1]], "subject": [1, 1, 2]}
        self.write("p.json", json.dumps(data))
        self.assertNotIn("subject", self.refused("p.json"))
        del data["subject"]
        self.write("p.json", json.dumps(data))
        self.fitted(*self.FIT, data="p.json", out="json")

    def test_a_fit_without_protection_is_not_asked(self):
        self.fitted("--non-private", "--steps", "5", "--quiet", data="p.csv", out="open")

    def test_the_drafted_schema_has_both_lines(self):
        def draft(data, *flags):
            return self.ok("schema", self.at / "m.stan", self.at / data, *flags)

        hidden = draft("p.csv")
        self.assertIn("column 1 looks like an id", hidden)
        self.assertNotIn("patient_id", hidden)
        self.assertIn("# one_row_per_person = true", hidden)
        self.assertIn('# unit = "patient_id"', draft("p.csv", "--names"))
        self.assertNotIn("one_row_per_person", draft("d.csv"))
