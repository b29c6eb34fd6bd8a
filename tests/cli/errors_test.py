"""Every code of docs/errors.md can occur, has the exit code of its kind and leaves no files.

Other tests check the messages; this one checks that the list is complete.
"""
import gzip
import pathlib
import re

from fit_example import MODEL, FitCase
from program import run

LISTED = dict(re.findall(r"^\| `(DP\d+)` \| (\w+) \|",
                         (pathlib.Path(__file__).parents[2] / "docs/errors.md").read_text(), re.M))
EXIT_CODES = {"usage": 64, "bad_input": 65, "missing_input": 66, "cannot_create": 73,
              "would_leak": 78}
# Tested elsewhere: a data frame, a record store, a full disk, a stopped run, a lost rank, a damaged or
# changed bundle, a ledger, a system without randomness.
ELSEWHERE = {"DP327", "DP351", "DP370", "DP371", "DP380", "DP381", "DP401", "DP411", "DP412",
             "DP501", "DP502", "DP601", "DP602", "DP603", "DP604", "DP605", "DP901", "DP902"}

EXPERIMENTS = pathlib.Path(__file__).parents[2] / "experiments/uai2017"
GOOD = "x.1,x.2,y\n1,2,1\n"
FIT = ("fit", "m.stan", "d.csv", "--epsilon", "1", "--steps", "5", "--out", "b")
SCHEMA = FIT + ("--schema", "s.toml")
JSON = ("fit", "m.stan", "d.json", "--epsilon", "1", "--steps", "5", "--out", "b")
CHECK = ("check", "m.stan")


def model(old, new):
    assert old in MODEL
    return {"m.stan": MODEL.replace(old, new)}


SITUATIONS = [
    ("DP101", {}, ("fitt",)),
    ("DP101", {}, FIT + ("--epsilno", "1")),
    ("DP102", {}, FIT + ("--draws", "0")),
    ("DP103", {}, ("fit", "m.stan", "d.csv", "--out", "b")),
    ("DP104", {}, ("plan", "--epsilon", "1e-12", "--delta", "1e-300", "--steps", "1000000000",
                   "--sampling-rate", "1")),
    ("DP105", {}, ("plan", "--delta", "1e-6", "--phase", ".1:1:1e12", "--phase", ".1:1:1e12")),
    ("DP106", {"c.toml": "steps = \n"}, FIT + ("--config", "c.toml")),
    ("DP201", {"m.stan": "data {"}, CHECK),
    ("DP202", model("normal(0, 2)", "normal(0, tau)"), CHECK),
    ("DP203", model("alpha ~ normal(0, 2);", "real z = beta;"), CHECK),
    ("DP204", model("alpha ~ normal(0, 2);", "break;"), CHECK),
    ("DP205", model("real alpha;", "real alpha; complex z;"), CHECK),
    ("DP206", model("matrix[N, K] x;", "matrix[K, N] x;"), CHECK),
    ("DP207", model("y ~", "sum(x * beta) ~ normal(0, 1); y ~"), CHECK + ("-D", "K=2")),
    ("DP208", model("alpha ~ normal(0, 2);", "while (1) {}"), CHECK + ("-D", "K=2")),
    ("DP209", model("alpha ~ normal(0, 2);", "reject(\"no\");"), FIT),
    ("DP210", model("alpha + x", "mean(x[, 1]) + alpha + x"), FIT),
    ("DP211", model("real alpha;", "real alpha; vector[N] z;"), FIT),
    ("DP212", {"m.stan": "data { int N; vector[N] y; }"}, FIT),
    ("DP301", {}, ("fit", "m.stan", "none.csv", "--epsilon", "1", "--out", "b")),
    ("DP301", {}, ("inspect", "none.csv", "--schema", "s.toml")),
    ("DP310", {"s.toml": "[table\n"}, SCHEMA),
    ("DP311", {"s.toml": "[table]\nrow = 3\n"}, SCHEMA),
    ("DP313", {"s.toml": "[table]\nunit = 'y'\n"}, SCHEMA),
    ("DP312", {"s.toml": "[columns.y]\ntype = 'text'\n"}, SCHEMA),
    ("DP312", {"s.toml": "[columns.y]\ntype = 'int'\nif_missing = 'a'\n"}, SCHEMA),
    ("DP313", {"s.toml": "[columns.'x.1']\nstandardise = true\n"}, SCHEMA),
    ("DP313", {"s.toml": "[columns.y]\ntype = 'category'\n"}, SCHEMA),
    ("DP320", {"d.csv": ""}, FIT),
    ("DP320", {"d.csv": b"\xff\xfex\0"}, FIT),
    ("DP321", {"d.csv": "x.1,x.2\n1,2\n"}, FIT),
    ("DP322", {"d.csv": GOOD + "1,2\n"}, FIT),
    ("DP323", {"d.csv": GOOD + '1,"2,1\n'}, FIT),
    ("DP324", {"d.csv": "x.1,x.1,y\n1,2,1\n"}, FIT),
    ("DP325", {"d.csv": gzip.compress(GOOD.encode())[:-9]}, FIT),
    ("DP326", {"d.csv": b"x.1,x.2,y,\xe9\n1,2,1,0\n"}, FIT),
    ("DP330", {"d.json": "{"}, JSON),
    ("DP331", {"d.json": '{"N": 2, "K": 1, "x": [[1], [2]], "y": [0]}'}, JSON),
    ("DP331", {"s.toml": "[model]\nx = ['x.1', 'x.2']\n[public]\nK = 3\n"}, SCHEMA),
    ("DP332", {"d.json": '{"N": 1, "K": 1, "x": [[1]]}'}, JSON),
    ("DP333", {}, FIT + ("-D", "K=0")),
    ("DP340", {"s.toml": "[columns.y]\ntype = 'real'\n"}, SCHEMA),
    ("DP341", model("int<lower=1> K;", "int<lower=1> K; real scale;"), FIT),
    ("DP342", {"d.csv": "id,x.1,x.2,y\n1,1,2,1\n"}, FIT),
    ("DP350", {"d.json": '{"N": 1, "K": 1, "x": [[1]], "y": [1], "s": 2}',
               **model("int<lower=1> K;", "int<lower=1> K; real s;")}, JSON),
    ("DP360", {"d.csv": "x.1,x.2,y\n1,,1\n"}, FIT + ("--inspect-first",)),
    ("DP370", {"abalone.data": "1\n", "adult.data": "1\n", "adult.test": "1\n"},
     ("reproduce", "fig1-abalone", "--data", ".", "--out", "b", "--experiments", EXPERIMENTS)),
    ("DP371", {"today.toml": "[[series]]\nfigure = 'none'\n"},
     ("reproduce", "fig1-abalone", "--data", ".", "--out", "b", "--experiments", ".")),
    ("DP402", {"b": "taken"}, FIT),
    ("DP402", {}, FIT[:-1] + ("d.csv/b",)),
    ("DP402", {}, ("mock", "m.stan", "--rows", "1", "-D", "K=2", "--out", "d.csv")),
    ("DP402", {}, ("schema", "m.stan", "d.csv", "--out", "none/s.toml")),
]


class Errors(FitCase):
    def test_every_listed_code_is_met(self):
        self.assertEqual({code for code, _, _ in SITUATIONS} | ELSEWHERE, set(LISTED))
        for code, files, words in SITUATIONS:
            with self.subTest(code=code, words=words):
                self.at = self.folder()
                for name, content in {"m.stan": MODEL, "d.csv": GOOD, **files}.items():
                    self.write(name, content)
                before = {path.name: path.read_bytes() for path in self.at.iterdir()}
                done = run(*words, cwd=self.at)
                self.assertEqual(done.returncode, EXIT_CODES[LISTED[code]],
                                 done.stdout + done.stderr)
                self.assertIn(f"error[{code}] ", done.stderr)
                after = {path.name: path.read_bytes() for path in self.at.iterdir()}
                self.assertEqual(after, before)

    def test_what_cells_contain_is_no_error(self):
        cells = ["", "NA", "NaN", "1e400", "-Infinity", "wat", '"a,b"', '"line\nend"', "0x10",
                 "1" * 400, "１"]
        for content in [GOOD.split("\n")[0] + "\n", GOOD,
                        *(GOOD + f"{cell},{cell},{cell}\n" for cell in cells)]:
            with self.subTest(content=content):
                self.at = self.folder()
                self.write("m.stan", MODEL)
                self.write("d.csv", content)
                self.assertEqual(run(*FIT, cwd=self.at).returncode, 0)
        self.at = self.folder()
        self.write("m.stan", MODEL)
        self.write("d.csv", GOOD.encode() + b"\xff\xfe,\x01,\xc3\x28\n")
        self.assertEqual(run(*FIT, cwd=self.at).returncode, 0)

    def test_help_of_every_verb_fits_a_screen_and_shows_an_example(self):
        verbs = re.findall(r"^  ([a-z]+) ", run("--help").stdout.split("Subcommands:")[1], re.M)
        self.assertIn("inspect", verbs)
        for verb in verbs:
            with self.subTest(verb=verb):
                text = self.ok(verb, "--help")
                self.assertLessEqual(text.count("\n"), 40)
                explanation, example = text.split("Example")
                self.assertIn(f"dpvi {verb} ", example)
                self.assertLessEqual(max(map(len, explanation.splitlines())), 80, text)
        self.assertLessEqual(run("--help").stdout.count("\n"), 30)
