"""Tests `dpvi schema`, which drafts a schema from the program and the header line alone."""
import gzip
import os
import tomllib

from fit_example import MODEL, FitCase
from program import run

VARYING = """data {
  int<lower=0> N;
  int<lower=1> J;
  real<lower=0> tau;
  array[2] real prior;
  vector[N] age;
  array[N] int<lower=1, upper=J> hospital;
  array[N] int<lower=0, upper=1> died;
}
transformed data {
  vector[N] z = (age - mean(age)) / sd(age);
}
parameters {
  vector[J] a;
  real b;
}
model {
  a ~ normal(prior[1], tau);
  b ~ normal(0, prior[2]);
  died ~ bernoulli_logit(a[hospital] + b * z);
}
"""


def filled_in(toml, values):
    """Completes the lines marked FILL IN as a user would, by removing the #."""
    lines, section = [], ""
    for line in toml.splitlines():
        if line.startswith("["):
            section = line.strip("[]").replace('"', "")
        if "# FILL IN" in line:
            key = line.split("=")[0].strip("# ").strip('"')
            line = f"{key} = {values[section + '.' + key]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


class Schema(FitCase):
    def draft(self, *arguments):
        return self.json("schema", *arguments, cwd=self.at)

    def test_once_filled_in_it_is_accepted_and_a_fit_runs(self):
        self.write("m.stan", VARYING)
        self.write("d.csv", "age,hospital,died\n" + "50,North,1\n60,South,0\n" * 20)
        drafted = self.draft("m.stan", "d.csv")
        self.assertEqual(drafted["missing"], [
            "table.rows", "columns.age.mean", "columns.age.sd", "columns.hospital.levels",
            "public.tau", "public.prior"])
        self.write("s.toml", filled_in(drafted["schema"], {
            "table.rows": "40", "columns.age.mean": "60", "columns.age.sd": "15",
            "columns.hospital.levels": '["North", "South"]', "public.tau": "1",
            "public.prior": "[0, 1]"}))
        self.assertEqual(self.json("check", "m.stan", "--schema", "s.toml", cwd=self.at)["findings"],
                         [])
        self.fitted("--schema", "s.toml", "--epsilon", "1", "--steps", "20")

    def test_as_it_is_it_is_toml_and_a_check_says_what_is_missing(self):
        self.write("m.stan", VARYING)
        self.ok("schema", "m.stan", "--out", "s.toml", cwd=self.at)
        tomllib.loads((self.at / "s.toml").read_text())
        self.write("m.stan", MODEL)
        self.assertEqual(self.draft("m.stan", "d.csv")["missing"], ["table.rows"])
        parsed = tomllib.loads(self.ok("schema", "m.stan", "d.csv", cwd=self.at))
        self.assertEqual(parsed["model"], {"records": "N", "x": ["x.1", "x.2"], "y": "y"})
        self.assertEqual(sorted(parsed["columns"]), ["x.1", "x.2", "y"])

    def test_columns_under_other_names_are_to_be_named(self):
        self.write("d.csv", 'age,"a ""b"", c",Y\n1,2,1\n')
        drafted = self.draft("m.stan", "d.csv", "--names")
        self.assertEqual(drafted["missing"], ["table.rows", "model.x", "model.y"])
        self.assertIn('# x = ["age", "a \\"b\\", c", "Y"]', drafted["schema"])
        self.assertIn('# y = "Y"', drafted["schema"])
        tomllib.loads(drafted["schema"])
        self.write("s.toml", filled_in(drafted["schema"], {
            "table.rows": "3", "model.x": '["age", "a \\"b\\", c"]', "model.y": '"Y"'}))
        self.fitted("--schema", "s.toml", "--epsilon", "1", "--steps", "20")

    def test_a_first_line_that_may_be_a_record_is_not_written(self):
        self.write("d.csv", "Smith,John,female,diabetes\nJones,Ann,male,none\n")
        drafted = self.draft("m.stan", "d.csv")
        self.assertEqual(drafted["missing"], ["table.rows", "model.x", "model.y"])
        self.assertIn("4 further columns", drafted["schema"])
        for word in ("Smith", "John", "female", "diabetes"):
            self.assertNotIn(word, drafted["schema"])

    def test_nothing_behind_the_header_line_is_read(self):
        """Uses a pipe that delivers the header line and then stays open without further data."""
        pipe = self.at / "pipe.csv"
        os.mkfifo(pipe)
        held_open = os.open(pipe, os.O_RDWR)
        self.addCleanup(os.close, held_open)
        os.write(held_open, b"x.1,x.2,y\n")
        drafted = run("schema", "m.stan", "pipe.csv", cwd=self.at)
        self.assertEqual(drafted.returncode, 0, drafted.stderr)
        self.assertIn("x.2", drafted.stdout)
        os.write(held_open, b"left")
        self.assertEqual(os.read(held_open, 100), b"left")

    def test_what_follows_the_header_line_does_not_matter(self):
        expected = self.ok("schema", "m.stan", "d.csv", cwd=self.at)
        header = b"x.1,x.2,y\n"
        for content in (header + b'"never closed \0 1,2,3,4,5', header, header.strip(),
                        b"\xef\xbb\xbfx.1,x.2,y\r\n1,2\r\n", b"x.1,x.2,y\r1,2",
                        gzip.compress(header + b"poison" * 1000)):
            with self.subTest(content=content[:30]):
                self.write("d.csv", content)
                self.assertEqual(self.ok("schema", "m.stan", "d.csv", cwd=self.at), expected)

    def test_a_file_is_written_once(self):
        self.assertEqual(self.ok("schema", "m.stan", "d.csv", "--out", "s.toml", cwd=self.at), "")
        first = (self.at / "s.toml").read_text()
        self.refused("DP402", ["'s.toml'", "exists"], "schema", "m.stan", "d.csv", "--out", "s.toml",
                     exit_code=73, cwd=self.at)
        for out in ("none/s.toml", "d.csv/s.toml"):
            self.refused("DP402", [out], "schema", "m.stan", "d.csv", "--out", out, exit_code=73,
                         cwd=self.at)
        self.assertEqual((self.at / "s.toml").read_text(), first)
        self.assertEqual(sorted(path.name for path in self.at.iterdir()),
                         ["d.csv", "m.stan", "s.toml"])

    def test_refusals(self):
        self.refused("DP301", ["none.stan"], "schema", "none.stan", "d.csv", exit_code=66,
                     cwd=self.at)
        self.refused("DP301", ["none.csv"], "schema", "m.stan", "none.csv", exit_code=66,
                     cwd=self.at)
        self.refused("DP103", ["header line", "Leave DATA out"], "schema", "m.stan", "d.json",
                     cwd=self.at)
        for content, code in ((b"", "DP320"), (b"\n1\n", "DP320"), (b"x.1,x.1,y\n", "DP324"),
                              (b"x.1,x.\xe9,y\n", "DP326"), (b"x.1,\"x\n", "DP323")):
            with self.subTest(content=content):
                self.write("d.csv", content)
                self.refused(code, ["d.csv"], "schema", "m.stan", "d.csv", exit_code=65,
                             cwd=self.at)
