"""Refusals of `dpvi fit`: their codes, what they name, and that no files are left behind."""
import gzip
import json
import os
import resource
import unittest

from fit_example import MODEL, FitCase


class FitRefusals(FitCase):
    def refuses(self, exit_code, code, words, *flags, private=True, **options):
        before = sorted(self.at.iterdir())
        flags = ("--epsilon", "1", *flags) if private else flags
        done = self.fit(*flags, **options)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith(f"error[{code}] "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(sorted(self.at.iterdir()), before)

    def test_flags(self):
        for flags, code, words in (
                (("--clip", "adaptve"), "DP102", ["--clip", "'adaptve'", "'adaptive'"]),
                (("--family", "meanfield"), "DP102", ["--family", "'meanfield'", "'mean-field'"]),
                (("--average", "last"), "DP102", ["--average", "'last'", "tail, none"]),
                (("--clip-bound", "0"), "DP102", ["--clip-bound", "'0'", "above 0"]),
                (("--clip-bound", "1,2"), "DP103", ["2 bounds for 1 phases", "--phase Q:S:T"]),
                (("--clip-bound", "nan"), "DP102", ["--clip-bound", "'nan'"]),
                (("--clip-bound", "1e300"), "DP102", ["clip-bound", "1e+300", "1e+100"]),
                (("--learning-rate", "-1"), "DP102", ["--learning-rate", "'-1'"]),
                (("--threads", "0"), "DP102", ["--threads", "'0'", "1 to 1024"]),
                (("--draws", "0"), "DP102", ["--draws", "'0'"]),
                (("--rows", "0"), "DP102", ["--rows", "'0'"]),
                (("--steps", "-1"), "DP102", ["--steps", "'-1'"]),
                (("--steps", "1.5"), "DP102", ["--steps", "'1.5'"]),
                (("--sampling-rate", "1.5"), "DP102", ["--sampling-rate", "'1.5'"]),
                (("--delta", "1"), "DP102", ["--delta", "'1'"]),
                (("--adjacency", "add_remove"), "DP102", ["--adjacency", "'add-remove'"]),
                (("--accountant", "pdl"), "DP102", ["--accountant", "'pdl'", "'pld'"]),
                (("--noise-multiplier", "3"), "DP103", ["--epsilon", "--noise-multiplier"]),
                (("--seed", "3"), "DP103", ["--seed", "--non-private"]),
                (("--non-private",), "DP103", ["--non-private", "epsilon"]),
                (("--public-names", "a"), "DP103", ["--public-names", "JSON"]),
                (("-D", "K"), "DP102", ["-D", "'K'", "NAME=NUMBER"]),
                (("--optimizer", "adams"), "DP102", ["--optimizer", "'adams'", "'adam'"]),
                (("--schedule", "linear"), "DP102", ["--schedule", "'linear'", "cosine"]),
                (("--gradient", "jont"), "DP102", ["--gradient", "'jont'", "'joint'"]),
                (("--rank", "2"), "DP103", ["--rank", "low-rank"]),
                (("--family", "low-rank", "--rank", "0"), "DP102", ["--rank", "'0'", "1 to 1000"]),
                (("--phase", ".1:2"), "DP102", ["--phase", "'.1:2'", "Q:S:T"]),
                (("--phase", ".1:2:10", "--steps", "5"), "DP103", ["phase", "steps"]),
                (("--clipp", "fixed"), "DP101", ["--clipp", "'--clip'"])):
            with self.subTest(flags=flags):
                self.refuses(64, code, words, *flags)
        for epsilon in ("0", "-1", "nan", "inf", "x"):
            with self.subTest(epsilon=epsilon):
                self.refuses(64, "DP102", ["--epsilon", f"'{epsilon}'"], "--epsilon", epsilon,
                             private=False)
        self.refuses(64, "DP103", ["--epsilon"], private=False)
        self.refuses(64, "DP103", ["--dry-run", "--non-private"], "--non-private", "--dry-run",
                     private=False)

    def test_keys_of_a_configuration_file(self):
        self.write("fit.toml", "steps = 10\nclipbound = 1\n")
        self.refuses(64, "DP101", ["fit.toml:2", "'clipbound'", "'clip-bound'"], "--config",
                     "fit.toml")
        self.write("fit.toml", "steps = \n")
        self.refuses(64, "DP106", ["fit.toml:1"], "--config", "fit.toml")

    def test_files_that_are_not_there(self):
        for flags, words in (((), ["none.stan"]), ((), ["none.csv"]),
                             (("--schema", "none.toml"), ["none.toml"]),
                             (("--public", "none.json"), ["none.json"]),
                             (("--init", "none.json"), ["none.json"]),
                             (("--config", "none.toml"), ["none.toml"])):
            named = {"model": "none.stan"} if words == ["none.stan"] else (
                {"data": "none.csv"} if words == ["none.csv"] else {})
            with self.subTest(words=words):
                self.refuses(66, "DP301", words, *flags, **named)
        (self.at / "folder").mkdir()
        for named in ({"model": "folder"}, {"data": "folder"}):
            with self.subTest(named=named):
                self.refuses(66, "DP301", ["folder"], **named)

    def test_structure_of_a_table(self):
        for content, code, words in (
                ("", "DP320", ["d.csv"]),
                ("x.1,x.2,y\n1,2,1\n1,2\n", "DP322", ["d.csv:3", "3"]),
                ("x.1,x.2,y\n1,2,1,4\n", "DP322", ["d.csv:2", "4"]),
                ('x.1,x.2,y\n1,"2,1\n', "DP323", ["d.csv:2"]),
                ('x.1,x.2,y\n1,"2"3,1\n', "DP323", ["d.csv:2"]),
                ("x.1,x.1,y\n1,2,1\n", "DP324", ["d.csv:1", "columns 1 and 2"]),
                ("x.1,x.2\n1,2\n", "DP321", ["y"]),
                ("a,y\n1,2\n", "DP3", ["x"])):
            with self.subTest(content=content):
                self.write("d.csv", content)
                done = self.fit("--epsilon", "1")
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn(f"error[{code}", done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
        # The message may show the header of a table, never a cell.
        self.write("d.csv", "x.1,x.2,y\n1,2,1\nsecret,2\n")
        self.assertNotIn("secret", self.fit("--epsilon", "1").stderr)

    def test_compressed_tables_that_are_damaged(self):
        whole = gzip.compress((self.at / "d.csv").read_bytes())
        self.write("d.csv.gz", whole[:len(whole) // 2])
        self.refuses(65, "DP325", ["d.csv.gz"], data="d.csv.gz")
        self.write("d.csv.gz", whole)
        self.fitted("--epsilon", "1", data="d.csv.gz")

    def test_schemas(self):
        for schema, code, words in (
                ("[table\n", "DP310", ["s.toml:1"]),
                ("[table]\nrow = 3\n", "DP311", ["s.toml:2", "row", "rows"]),
                ("[columns.y]\ntype = 'text'\n", "DP312", ["s.toml:2", "text"]),
                ("[columns.y]\nlower = 'a'\n", "DP312", ["s.toml:2"]),
                ("[columns.'x.1']\nstandardise = true\n", "DP313", ["s.toml", "mean"]),
                ("[columns.'x.1']\nlower = 2\nupper = 1\n", "DP31", ["s.toml", "lower"]),
                ("[columns.'x.3']\nlower = 2\n", "DP321", ["x.3"]),
                ("[columns.y]\ntype = 'category'\n", "DP3", ["levels"]),
                ("[model]\nxx = ['x.1']\n", "DP340", ["s.toml:2", "xx"]),
                ("[model]\nx = ['q']\n", "DP321", ["q"]),
                ("[public]\nKK = 3\n", "DP311", ["s.toml:2", "KK"])):
            with self.subTest(schema=schema):
                self.write("s.toml", schema)
                before = sorted(self.at.iterdir())
                done = self.fit("--epsilon", "1", "--schema", "s.toml")
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn(f"error[{code}", done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(sorted(self.at.iterdir()), before)

    def test_programs(self):
        def changed(old, new):
            self.assertIn(old, MODEL)
            return MODEL.replace(old, new)

        for model, words in (
                ("data {", ["m.stan:1"]),
                (changed("normal(0, 2)", "normal(0, tau)"), ["m.stan:12", "tau"]),
                (changed("real alpha;", "vector[N + 1] alpha;"), ["alpha"]),
                (changed("  real alpha;\n  vector[K] beta;\n", ""), ["alpha"]),
                (changed("matrix[N, K] x;", "matrix[K, N] x;"), ["m.stan", "x"]),
                (changed("y ~ bernoulli_logit(", "mean(y) ~ normal(0, 1); y ~ bernoulli_logit("),
                 ["m.stan"])):
            with self.subTest(model=model):
                self.write("m.stan", model)
                done = self.fit("--epsilon", "1")
                self.assertEqual(done.returncode, 65, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertFalse((self.at / "b").exists())
        self.write("m.stan", "data { int N; vector[N] y; }\n")
        self.write("d.csv", "y\n1\n")
        self.refuses(65, "DP212", ["m.stan", "no parameters"])

    def test_values_beside_the_records_of_a_json_file(self):
        self.write("m.stan", MODEL.replace("int<lower=1> K;", "int<lower=1> K; real scale;"))
        data = {"N": 2, "K": 1, "x": [[1], [2]], "y": [0, 1], "scale": 2}
        self.write("d.json", json.dumps(data))
        self.refuses(78, "DP350", ["scale", "--public-names"], data="d.json")
        self.fitted("--epsilon", "1", "--public-names", "scale", data="d.json")
        facts = json.loads((self.at / "b" / "statement.json").read_text())["public_facts"]
        self.assertTrue(any(fact.startswith("scale = 2") for fact in facts), facts)

    def test_json_files(self):
        for content, words in (("{", ["d.json:1"]), ("[1]", ["d.json"]),
                               ('{"N": 2, "K": 1, "x": [[1], [2]]}', ["y"]),
                               ('{"N": 2, "K": 1, "x": [[1], [2]], "y": [0]}', ["y"])):
            with self.subTest(content=content):
                self.write("d.json", content)
                done = self.fit("--epsilon", "1", data="d.json")
                self.assertEqual(done.returncode, 65, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_outputs_that_cannot_be_made(self):
        (self.at / "taken").mkdir()
        for out, words in (("taken", ["'taken'", "exists"]), ("d.csv", ["'d.csv'", "exists"]),
                           ("d.csv/inside", ["d.csv/inside"]), ("none/b", ["none/b"]),
                           ("/proc/b", ["/proc/b"])):
            with self.subTest(out=out):
                self.refuses(73, "DP402", words, out=out)
        self.refuses(64, "DP103", ["--out"], out="")

    @unittest.skipIf(os.geteuid() == 0, "root writes where others may not")
    def test_a_folder_without_permission(self):
        (self.at / "locked").mkdir(mode=0o500)
        self.refuses(73, "DP402", ["locked/b", "ermission"], out="locked/b")

    def test_a_full_disk(self):
        """Limits files to 2 KB to imitate a full disk, which is found before the first step."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

        self.refuses(74, "DP401", ["'b'", "nothing was spent"], "--quiet", "--steps", "10", preexec_fn=limit)
