"""Tests `dpvi inspect` and `fit --inspect-first`, which report on cells to the curator only."""
import json

from fit_example import FitCase

SCHEMA = """[columns."x.1"]
type = "real"
lower = -1
upper = 1

[columns."x.2"]
type = "category"
levels = ["a", "b"]
coding = "one-hot"

[columns.y]
type = "int"
lower = 0
upper = 1

[model]
x = ["x.1", "x.2"]
"""

TABLE = """x.1,x.2,y
0.5,a,1
-7,b,0
NA,a,1
wat,a,1
0.25,c,1
0.25,NA,0
0,b,2
1e400,a,1
0,a,0.5
"""


class Inspect(FitCase):
    def setUp(self):
        super().setUp()
        self.write("s.toml", SCHEMA)
        self.write("t.csv", TABLE)

    def inspected(self, *flags, data="t.csv"):
        found = self.json("inspect", data, *flags, cwd=self.at)
        return found, {column["name"]: column for column in found["columns"]}

    def test_it_counts_what_became_of_every_cell(self):
        for flags in (("--schema", "s.toml"), ("--schema", "s.toml", "--model", "m.stan")):
            with self.subTest(flags=flags):
                found, columns = self.inspected(*flags)
                self.assertEqual((found["rows"], found["rows_of_zero"]), (9, 6))
                x, ward, y = columns["x.1"], columns["x.2"], columns["y"]
                self.assertEqual([x[key] for key in ("usable", "clamped", "missing", "unparsable")],
                                 [7, 2, 1, 1])
                self.assertEqual([x[key] for key in ("minimum", "maximum")], [-7, .5])
                self.assertAlmostEqual(x["mean"], -1)
                self.assertAlmostEqual(x["sd"], 2.9453353)
                self.assertEqual([ward[key] for key in ("usable", "missing", "unlisted")],
                                 [7, 1, 1])
                self.assertEqual(ward["levels"], {"a": 5, "b": 2})
                self.assertEqual(ward["unlisted_levels"], {"c": 1})
                self.assertEqual([y[key] for key in ("usable", "out_of_range")], [7, 2])

    def test_the_program_adds_its_own_bounds(self):
        found, columns = self.inspected("--model", "m.stan", data="d.csv")
        self.assertEqual((found["rows"], found["rows_of_zero"]), (400, 0))
        self.write("t.csv", "x.1,x.2,y\n1,2,7\n3,inf,1\n")
        found, columns = self.inspected("--model", "m.stan")
        self.assertEqual(found["rows_of_zero"], 2)
        self.assertEqual(columns["y"]["out_of_range"], 1)
        self.assertEqual(columns["x.2"]["out_of_range"], 1)

    def test_replaced_cells_do_not_cost_their_row(self):
        self.write("s.toml", SCHEMA.replace("upper = 1\n\n", "upper = 1\nif_missing = 0\n\n", 1))
        found, columns = self.inspected("--schema", "s.toml")
        self.assertEqual(found["rows_of_zero"], 5)
        self.assertEqual(columns["x.1"]["replaced"], 1)

    def test_json_records_are_inspected_too(self):
        self.write("t.json", json.dumps({"N": 3, "K": 1, "x": [[1], [None], [2]], "y": [0, 1, 5]}))
        self.write("s.toml", "[columns.y]\ntype = 'int'\nupper = 1\n[columns.'x.1']\nlower = 2\n")
        for flags in ((), ("--model", "m.stan")):
            found, columns = self.inspected("--schema", "s.toml", *flags, data="t.json")
            self.assertEqual((found["rows"], found["rows_of_zero"]), (3, 2))
            self.assertEqual(columns["x.1"]["clamped"], 1)
        self.write("t.json", '{"y": [1]}')
        self.refused("DP332", ["N", "--records"], "inspect", "t.json", "--schema", "s.toml",
                     exit_code=65, cwd=self.at)

    def test_it_says_that_it_is_not_for_release(self):
        text = self.ok("inspect", "t.csv", "--schema", "s.toml", cwd=self.at)
        self.assertTrue(text.startswith("NOT FOR RELEASE"), text)
        self.assertIn("9 rows, 6 of them contribute nothing", text)
        self.assertIn("not listed: 'c' 1", text)
        self.assertIn("NOT FOR RELEASE", self.inspected("--schema", "s.toml")[0]["release"])

    def test_refusals(self):
        self.refused("DP103", ["--schema"], "inspect", "t.csv", cwd=self.at)
        self.refused("DP301", ["none.csv"], "inspect", "none.csv", "--schema", "s.toml",
                     exit_code=66, cwd=self.at)
        self.write("t.csv", "x.1,x.2\n1,a\n")
        self.refused("DP321", ["'y'", "t.csv"], "inspect", "t.csv", "--schema", "s.toml",
                     exit_code=65, cwd=self.at)
        self.write("t.csv", "x.1,x.2,y\n1,a\n")
        self.refused("DP322", ["t.csv:2"], "inspect", "t.csv", "--schema", "s.toml", exit_code=65,
                     cwd=self.at)


class InspectFirst(FitCase):
    def stopped(self, data="t.csv"):
        done = self.fit("--epsilon", "1", "--inspect-first", data=data)
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("error[DP360] ", done.stderr)
        self.assertFalse((self.at / "b").exists())
        return done.stderr

    def test_a_column_without_a_usable_cell_stops_the_fit_only_if_asked(self):
        self.write("t.csv", "x.1,x.2,y\n1,,1\n2,NA,0\n")
        self.assertIn("'x.2'", self.stopped())
        self.fitted("--epsilon", "1", "--steps", "10", data="t.csv")

    def test_so_does_a_table_without_rows_and_json(self):
        self.write("t.csv", "x.1,x.2,y\n")
        self.stopped()
        self.write("t.json", json.dumps({"N": 2, "K": 1, "x": [[1], [2]], "y": [7, 8]}))
        self.assertIn("'y'", self.stopped("t.json"))

    def test_the_statement_says_so(self):
        for flags, said in (((), False), (("--inspect-first",), True)):
            out = f"b{len(flags)}"
            self.fitted("--epsilon", "1", "--steps", "10", *flags, out=out)
            statement = json.loads((self.at / out / "statement.json").read_text())
            self.assertEqual(any("inspected first" in one for one in statement["assumptions"]), said)
            self.assertEqual("inspected first" in (self.at / out / "statement.md").read_text(), said)

    def test_every_fit_gives_the_same_reminder(self):
        self.write("t.csv", "x.1,x.2,y\nwat,1e400,\n")
        for data in ("d.csv", "t.csv"):
            for flags in (("--epsilon", "1"), ("--non-private",)):
                done = self.fitted(*flags, "--steps", "10", data=data, out=f"{data}{flags[0]}")
                self.assertEqual(done.stderr.count("'dpvi inspect' shows the curator"), 1)
