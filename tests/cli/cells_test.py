"""Tests how a schema says that cells are written: dates, marks of numbers, synonyms, blanks."""
from program import ProgramTest

SCHEMA = """[table]
rows = 100
decimal_mark = ","
thousands_mark = "."
trim = true

[columns.weight]
type = "real"
lower = 0
upper = 5000

[columns.platelets]
type = "int"
lower = 0
upper = 900000
synonyms = {"<5" = 2, none = 0}

[columns.admitted]
type = "date"
date_format = "DD.MM.YYYY"
since = 2020-01-01
lower = "01.01.2020"
upper = 2024-12-31

[columns.sex]
levels = ["female", "male"]
synonyms = {f = "female", F = "female", "m " = "male"}
"""

TABLE = """weight,platelets,admitted,sex
"1.063,5",171.387,02.01.2020, female
"63,5",<5,2020-01-31,F
63.5, none ,31.02.2020,m
"1.0,5",17.38,1.1.2020,Male
-,1234,03.01.2020 12:00,male
"""

MODEL = """data {
  int<lower=0> N;
  vector[N] weight;
  array[N] int platelets;
  vector[N] admitted;
  array[N] int<lower=1, upper=2> sex;
}
parameters { real mu; }
model {
  mu ~ normal(0, 1);
  for (n in 1:N) weight[n] ~ normal(mu + admitted[n] + sex[n] + platelets[n], 1);
}
generated quantities {
  vector[N] w = weight;
  vector[N] c;
  vector[N] a = admitted;
  vector[N] s;
  for (n in 1:N) { c[n] = platelets[n]; s[n] = sex[n]; }
}
"""


class Cells(ProgramTest):
    def setUp(self):
        self.at = self.folder()
        (self.at / "s.toml").write_text(SCHEMA)
        (self.at / "t.csv").write_text(TABLE)
        (self.at / "m.stan").write_text(MODEL)

    def test_the_schema_decides_what_a_cell_means(self):
        found = self.json("inspect", "t.csv", "--schema", "s.toml", cwd=self.at)
        columns = {column["name"]: column for column in found["columns"]}
        self.assertEqual([columns[name]["usable"] for name in
                          ("weight", "platelets", "admitted")], [2, 4, 3])
        self.assertEqual((columns["weight"]["minimum"], columns["weight"]["maximum"]),
                         (63.5, 1063.5))
        self.assertEqual((columns["platelets"]["minimum"], columns["platelets"]["maximum"]),
                         (0, 171387))
        self.assertEqual((columns["admitted"]["minimum"], columns["admitted"]["maximum"]),
                         (1, 30))
        self.assertEqual(columns["sex"]["levels"], {"female": 2, "male": 2})
        self.assertEqual(columns["sex"]["unlisted_levels"], {"Male": 1})

    def test_mock_tables_are_written_as_the_schema_says_and_read_again(self):
        self.ok("mock", "m.stan", "--schema", "s.toml", "--rows", 50, "--out", "mock.csv",
                cwd=self.at)
        found = self.json("inspect", "mock.csv", "--schema", "s.toml", "--model", "m.stan",
                          cwd=self.at)
        self.assertEqual((found["rows"], found["rows_of_zero"]), (50, 0))
        self.assertRegex((self.at / "mock.csv").read_text(), r"\d\d\.\d\d\.20\d\d")

    def test_predictions_read_new_rows_by_the_schema_of_the_bundle(self):
        self.ok("mock", "m.stan", "--schema", "s.toml", "--rows", 50, "--out", "mock.csv",
                cwd=self.at)
        self.ok("fit", "m.stan", "mock.csv", "--schema", "s.toml", "--epsilon", 1, "--out", "b",
                cwd=self.at)
        rows = "weight,platelets,admitted,sex\n\"1.063,5\",<5,11.01.2020,F\n"
        (self.at / "new.csv").write_text(rows)
        lines = self.ok("predict", "b", "new.csv", cwd=self.at).splitlines()
        values = dict(zip(lines[0].split(","), lines[1].split(",")))
        self.assertEqual([values[name] for name in ("w_mean", "c_mean", "a_mean", "s_mean")],
                         ["1063.5", "2", "10", "1"])

    def test_mistakes_are_refused_with_their_line(self):
        for line, words in [('date_format = "DD.MM.YY"', ["YYYY, MM and DD"]),
                            ('since = "soon"', ["must be a date"])]:
            text = f'[columns.d]\ntype = "date"\n{line}\n'
            (self.at / "s.toml").write_text(text)
            self.refused("DP312", words + ["s.toml:3"], "check", "m.stan", "--schema", "s.toml",
                         exit_code=65, cwd=self.at)
        for text, words in [
                ('[table]\ndecimal_mark = ";"\n', ["decimal_mark"]),
                ('[table]\nthousands_mark = "."\n', ["differ from the decimal mark"]),
                ('[table]\nthousands_mark = "5"\n', ["single mark"]),
                ('[columns.d]\ntype = "real"\nsince = 2020-01-01\n', ["dates only"]),
                ('[columns.d]\ntype = "real"\nsynonyms = {a = "b"}\n', ["must be a number"]),
                ('[columns.d]\nlevels = ["a"]\nsynonyms = {b = "c"}\n', ["one of the levels"]),
                ('[columns.d]\nlevels = ["a", "b"]\nsynonyms = {b = "a"}\n', ["a level itself"])]:
            with self.subTest(text):
                (self.at / "s.toml").write_text(text)
                self.refused("DP312", words, "check", "m.stan", "--schema", "s.toml", exit_code=65,
                             cwd=self.at)
