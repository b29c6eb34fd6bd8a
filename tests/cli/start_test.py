"""Tests `dpvi start` from a bare table to a result: the folder, its schema and its script."""
import os
import random
import re
import subprocess

from program import PROGRAM, ProgramTest, run

HEADER = "patient_id,died,age,exp2,ward no,größe (cm),b_age,real"


def cells(generator):
    age = generator.gauss(60, 12)
    return [generator.randrange(1000), int(generator.random() < .3), f"{age:.1f}",
            f"{generator.gauss(2, 1):.2f}", generator.choice(["A", "B"]),
            f"{generator.gauss(170, 9):.0f}", f"{generator.random():.2f}",
            f"{generator.random():.2f}"]


class StartCase(ProgramTest):
    def setUp(self):
        self.at = self.folder()
        generator = random.Random(1)
        lines = [HEADER] + [",".join(map(str, cells(generator))) for _ in range(500)]
        (self.at / "t.csv").write_text("\n".join(lines) + "\n")

    def start(self, *flags):
        return self.json("start", "t.csv", "--out", "s", *flags, cwd=self.at)

    def schema(self):
        return (self.at / "s/schema.toml").read_text()

    def complete(self, facts):
        """Writes facts in place of the lines to fill in: {"age.type": 'type = "real"'}."""
        section, lines = "", []
        for line in self.schema().splitlines():
            if line.startswith("["):
                section = line.strip("[]").removeprefix("columns.").strip('"')
            key = re.match(r'# (\w+) = .*# FILL IN', line)
            fact = facts.get(f"{section}.{key[1]}") if key else None
            lines.append(line if fact is None else fact)
        (self.at / "s/schema.toml").write_text("\n".join(lines) + "\n")

    def next(self, *words):
        return subprocess.run(["sh", "s/next.sh", *words], cwd=self.at, capture_output=True,
                              text=True, timeout=300)


class Start(StartCase):
    def test_from_a_bare_table_to_a_result_with_odd_names(self):
        made = self.start("--outcome", "died", "--rows", 500)
        self.assertEqual(made["formula"], "died ~ age + exp2 + `ward no` + `größe (cm)` + b_age"
                         " + real")
        self.assertEqual(made["left_out"], ["patient_id"])
        self.assertIn("table.unit", made["missing"])
        stopped = self.next()
        self.assertEqual(stopped.returncode, 65)
        self.assertIn("FILL IN", stopped.stdout)
        self.complete({"died.type": 'type = "int"\nlower = 0\nupper = 1',
                       "age.type": 'type = "real"\nmean = 60\nsd = 12',
                       "exp2.type": 'type = "real"',
                       "ward no.type": 'levels = ["A", "B"]',
                       "größe (cm).type": 'type = "real"\nmean = 170\nsd = 10',
                       "b_age.type": 'type = "real"', "real.type": 'type = "real"'})
        undecided = self.next()
        self.assertEqual(undecided.returncode, 65, undecided.stderr)
        self.assertIn("one_row_per_person", undecided.stderr)
        text = self.schema().replace("# one_row_per_person", "one_row_per_person")
        (self.at / "s/schema.toml").write_text(text)
        rehearsed = self.next()
        self.assertEqual(rehearsed.returncode, 0, rehearsed.stderr)
        self.assertIn("Nothing was spent", rehearsed.stdout)
        self.assertFalse((self.at / "s/result").exists())
        fitted = self.next("1")
        self.assertEqual(fitted.returncode, 0, fitted.stderr)
        self.assertIn("b_exp2_column", fitted.stdout)
        self.assertTrue((self.at / "s/report.html").exists())
        self.assertEqual(self.json("budget", "s/budget.ledger", "show", cwd=self.at)["entries"][0]
                         ["state"], "released")
        predicted = self.ok("predict", "s/result", "t.csv", "--outcome", "died", cwd=self.at)
        self.assertEqual(predicted.count("\n"), 501)
        self.assertNotIn("NaN", predicted)
        # The same schema serves another program.
        other = self.ok("formula", "`größe (cm)` ~ exp2 + real", "--schema", "s/schema.toml",
                        cwd=self.at)
        (self.at / "other.stan").write_text(other)
        self.assertTrue(self.json("check", "other.stan", "--schema", "s/schema.toml",
                                  cwd=self.at)["ok"])
        self.ok("fit", "other.stan", "t.csv", "--schema", "s/schema.toml", "--epsilon", 1, "--out",
                "other", cwd=self.at)

    def test_a_formula_tells_what_its_columns_need(self):
        made = self.start("--formula", "died ~ log(age) + scale(exp2) + (1 | `ward no`)",
                          "--likelihood", "bernoulli", "--unit", "patient_id")
        self.assertEqual(made["missing"], [
            "table.rows", "table.max_rows_per_unit", "columns.age.lower", "columns.exp2.mean",
            "columns.exp2.sd", "columns.ward no.levels"])
        self.assertIn("upper = 1 ", self.schema())
        program = (self.at / "s/model.stan").read_text()
        self.assertIn("array[N] int<lower=1, upper=ward_no_levels> ward_no;", program)
        self.complete({"table.rows": "rows = 500",
                       "table.max_rows_per_unit": "max_rows_per_unit = 2",
                       "age.lower": "lower = 18", "exp2.mean": "mean = 2", "exp2.sd": "sd = 1",
                       "ward no.levels": 'levels = ["A", "B"]'})
        # The draft is a program too: the number of levels follows from the schema.
        self.assertTrue(self.json("check", "s/model.stan", "--schema", "s/schema.toml",
                                  cwd=self.at)["ok"])
        done = self.next("1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_is_used_where_it_is(self):
        (self.at / "m.stan").write_text(
            "data { int<lower=0> N; vector[N] age; } parameters { real mu; }\n"
            "model { mu ~ normal(60, 20); age ~ normal(mu, 12); }\n")
        made = self.start("--model", "m.stan", "--rows", 500)
        self.assertNotIn("formula", made)
        self.assertFalse((self.at / "s/model.stan").exists())
        (self.at / "s/schema.toml").write_text(
            self.schema().replace("# one_row_per_person", "one_row_per_person"))
        done = self.next("1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_of_the_cells_is_read(self):
        whole = self.start("--outcome", "died")
        schema, script = self.schema(), (self.at / "s/next.sh").read_text()
        (self.at / "t.csv").write_text(HEADER + "\n\"broken,\n1,2,3\n")
        subprocess.run(["rm", "-r", self.at / "s"], check=True)
        self.assertEqual(self.start("--outcome", "died"), whole)
        self.assertEqual((self.schema(), (self.at / "s/next.sh").read_text()), (schema, script))

    def test_mistakes_leave_no_folder(self):
        (self.at / "taken").mkdir()
        for code, words, exit_code, flags in [
                ("DP402", ["'taken'", "exists"], 73, ["--outcome", "died", "--out", "taken"]),
                ("DP103", ["--outcome"], 64, ["--out", "s"]),
                ("DP103", ["--model"], 64, ["--model", "m", "--outcome", "died", "--out", "s"]),
                ("DP103", ["'age'"], 64, ["--formula", "died ~ 1", "--outcome", "age", "--out", "s"]),
                ("DP321", ["'dieed'", "similar"], 65, ["--outcome", "dieed", "--out", "s"]),
                ("DP321", ["'x'"], 65, ["--formula", "died ~ x", "--out", "s"]),
                ("DP321", ["'u'"], 65, ["--outcome", "died", "--unit", "u", "--out", "s"]),
                ("DP102", ["--rows"], 64, ["--outcome", "died", "--rows", "0", "--out", "s"]),
        ]:
            with self.subTest(flags):
                self.refused(code, words, "start", "t.csv", *flags, exit_code=exit_code,
                             cwd=self.at)
        (self.at / "records.csv").write_text("1,North,171\n2,South,160\n")
        self.refused("DP324", [], "start", "records.csv", "--outcome", "died", "--out", "s",
                     exit_code=65, cwd=self.at)
        self.assertEqual(sorted(os.listdir(self.at)), ["records.csv", "t.csv", "taken"])


class Likelihood(StartCase):
    def test_it_follows_from_the_declared_type(self):
        for declared, law in [('type = "real"', "normal(eta, sigma)"),
                              ('type = "int"\nlower = 0', "neg_binomial_2_log"),
                              ('type = "int"\nlower = 0\nupper = 1', "bernoulli_logit"),
                              ('levels = ["n", "y"]', "bernoulli_logit")]:
            (self.at / "s.toml").write_text(f"[columns.y]\n{declared}\n")
            self.assertIn(law, self.ok("formula", "y ~ 1", "--schema", "s.toml", cwd=self.at))
        for declared, word in [('type = "int"', "lower = 0"), ("mean = 1", "type"),
                               ('levels = ["a", "b", "c"]', "ordered")]:
            (self.at / "s.toml").write_text(f"[columns.y]\n{declared}\n")
            self.refused("DP341", [word], "formula", "y ~ 1", "--schema", "s.toml", exit_code=65,
                         cwd=self.at)
