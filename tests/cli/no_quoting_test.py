"""No message quotes a line of a file that may be the table, even if a command gets the file in the
wrong place."""
import gzip
import unittest

from fit_example import MODEL, FitCase
from program import run

SECRETS = ("Smith", "Jones", "diabetes", "1970", "4711")
PROGRAM_CELL = '"data { int N; }\nmodel { y ~ normal(0, 1); }"'

TABLES = {
    "comma": "id,name,born,illness\n4711,Smith,1970,diabetes\n4712,Jones,1971,none\n",
    "semicolon": "id;name;born\n4711;Smith;1970\n",
    "tab": "id\tname\tborn\n4711\tSmith\t1970\n",
    "blanks": "id name born\n4711 Smith 1970\n",
    "quoted": '"id","name"\n"4711","Smith, Ann"\n',
    "no header": "4711,Smith,1970,diabetes\n4712,Jones,1971,none\n",
    "no header, text": "Smith,diabetes\nJones,none\n",
    "no header, one column": "Smith\nJones\n",
    "one line": "Smith,diabetes",
    "dates": "1970-01-31,Smith\n",
    "column named data": "data,model\n4711,Smith\n",
    "column named data {": "data {,model {\n4711,Smith\n",
    "cell with a block": "id,notes\n4711,model {\n4712,Smith\n",
    "cell with a program": f"name,notes\nSmith,{PROGRAM_CELL}\nJones,none\n",
    "one column with a program": f"notes\nSmith\n{PROGRAM_CELL}\n",
    "repeated": "Smith,Smith,Jones\n",
    "key": "Smith = 4711\n",
    "keys": "[Smith]\nborn = 1970\n",
    "list of tables": '[[table]]\nname = "Smith"\n',
    "half a key": "name = Smith\n",
    "rows in JSON": '[{"id": 4711, "name": "Smith"}]\n',
    "columns in JSON": '{"id": [4711], "name": ["Smith"]}\n',
    "persons in JSON": '{"Smith": {"born": 1970}}\n',
    "persons' numbers in JSON": '{"Smith": [1970], "Jones": [1971, [1]]}\n',
    "repeated in JSON": '{"Smith": 1970, "Smith": 1971}\n',
    "lines of JSON": '{"name": "Smith"}\n{"name": "Jones"}\n',
    "gzip": gzip.compress(b"id,name\n4711,Smith\n"),
    "Stata": b"<stata_dta><header>\x00Smith\x00\x01diabetes</header>",
    "SPSS": b"$FL2@(#) SPSS DATA FILE Smith\x00\x00diabetes\x01",
    "workbook": b"PK\x03\x04\x14\x00\x06Smith\x00diabetes",
    "UTF-16": "name,born\nSmith,1970\n".encode("utf-16"),
    "Latin-1": "näme,born\nSmith,1970\n".encode("latin-1"),
    "carriage returns": "id,name\r4711,Smith\r",
}

FIT = ("--epsilon", "1", "--steps", "5", "--out", "out")
COMMANDS = (
    ("check", "t"),
    ("check", "t", "--schema", "t"),
    ("check", "m.stan", "--schema", "t"),
    ("check", "m.stan", "--public", "t"),
    ("check", "m.stan", "--data", "t", "--at", "t"),
    ("check", "m.stan", "--data", "d.json", "--at", "t"),
    ("check", "m.stan", "--config", "t"),
    ("check", "m.stan", "--schema", "levels.toml"),
    ("schema", "t", "m.stan"),
    ("schema", "t"),
    ("schema", "m.stan", "t"),
    ("fit", "t", "m.stan", *FIT),
    ("fit", "m.stan", "t", *FIT),
    ("fit", "m.stan", "t.json", *FIT),
    ("fit", "m.stan", "d.csv", "--schema", "t", *FIT),
    ("fit", "m.stan", "d.csv", "--public", "t", *FIT),
    ("fit", "m.stan", "d.csv", "--config", "t", *FIT),
    ("fit", "m.stan", "d.csv", "--init", "t", *FIT),
    ("fit", "m.stan", "d.csv", "--init", "posterior.json", *FIT),
    ("mock", "t", "--rows", "3"),
    ("mock", "m.stan", "--schema", "t", "--rows", "3"),
    ("formula", "y ~ a", "--likelihood", "normal", "--schema", "t"),
    ("inspect", "d.csv", "--schema", "t"),
    ("inspect", "d.csv", "--model", "t"),
    ("pack", "t", "--out", "packed"),
    ("pack", "d.csv", "--schema", "t", "--out", "packed"),
    ("plan", "--config", "t"),
    ("predict", "t", "d.csv"),
    ("summary", "t"),
    ("summary", "."),
    ("synth", "t", "--rows", "3", "--out", "out"),
)


class NoQuoting(FitCase):
    def test_a_table_in_any_place_is_not_quoted(self):
        self.write("d.json", '{"N": 1, "K": 2, "x": [[1, 2]], "y": [1]}')
        self.write("levels.toml", '[columns.y]\nlevels_file = "t"\n')
        for kind, content in TABLES.items():
            for name in ("t", "t.json", "posterior.json", "statement.json"):
                data = content if isinstance(content, bytes) else content.encode()
                (self.at / name).write_bytes(data)
            for command in COMMANDS:
                with self.subTest(kind=kind, command=command):
                    # With --json a message is on both outputs.
                    done = run(*command, "--json", cwd=self.at, errors="replace")
                    self.assertIn(done.returncode, (0, 64, 65), done.stderr)
                    for secret in SECRETS:
                        self.assertNotIn(secret, done.stdout + done.stderr)
                    self.assertFalse((self.at / "out").exists())
                    (self.at / "packed").unlink(missing_ok=True)

    def test_the_refusal_of_a_table_names_the_cause(self):
        self.write("t", TABLES["comma"])
        self.refused("DP201", ["does not look like a Stan program", "If it is the table"], "fit",
                     "t", "m.stan", *FIT, exit_code=65, cwd=self.at)
        for kind, code, words in (
                ("no header", "DP324", ["looks like data", "column 1 is a value"]),
                ("no header, text", "DP321", ["needs columns x.1", "The header has 2 names"])):
            self.write("t", TABLES[kind])
            self.refused(code, words, "fit", "m.stan", "t", *FIT, exit_code=65, cwd=self.at)

    def test_lines_of_a_program_are_shown(self):
        """A mistake in any line, including the first, is shown with its line."""
        for number, wrong in ((1, "dta {"), (1, "data ["), (1, "my model, version 2"),
                              (3, "  int<lower=0 K;"), (9, "  beta ~ nromal(0, 1);")):
            lines = MODEL.splitlines()
            lines[number - 1] = wrong
            self.write("m.stan", "\n".join(lines) + "\n")
            done = run("check", "m.stan", cwd=self.at)
            self.assertEqual(done.returncode, 65)
            self.assertIn(f"\n  {wrong}\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
