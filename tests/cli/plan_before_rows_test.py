"""A private fit is planned before a row of its table is read, from names and public facts alone."""
import json
import os
import subprocess
import threading

from fit_example import HEADER, MODEL, FitCase
from program import PROGRAM

PARTS = """data {{
  int<lower=0> N;
  int<lower=1> K;
  {x};
  array[N] int<lower=0, upper=1> y;
}}
parameters {{
  vector[K] beta;
}}
model {{
  beta ~ normal(0, 2);
  for (n in 1:N) y[n] ~ bernoulli_logit({predictor});
}}
"""


class PlanBeforeRows(FitCase):
    def with_header_alone(self, *flags):
        """Starts a fit of a table that never delivers rows."""
        pipe = self.at / "pipe.csv"
        os.mkfifo(pipe)
        command = [PROGRAM, "fit", "m.stan", "pipe.csv", "--epsilon", "1", "--out", "b", *flags]
        with subprocess.Popen(command, cwd=self.at, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            with open(pipe, "w", encoding="ascii") as writer:
                writer.write(HEADER + "\n")
                writer.flush()
                stderr = process.communicate(timeout=60)[1]
        pipe.unlink()
        return process.returncode, stderr

    def test_what_is_wrong_with_a_plan_is_said_before_a_row_comes(self):
        self.write("start.json", '{"alpha": "x"}')
        self.write("s.toml", "[columns.'x.3']\nlower = 0\n")
        for flags, exit_code, code in ((("--init", "none.json"), 66, "DP301"),
                                       (("--init", "start.json"), 65, "DP333"),
                                       (("--schema", "s.toml"), 65, "DP321"),
                                       (("-D", "K=3"), 65, "DP331")):
            with self.subTest(flags=flags):
                found, stderr = self.with_header_alone(*flags)
                self.assertEqual(found, exit_code, stderr)
                self.assertTrue(stderr.startswith(f"error[{code}] "), stderr)
                self.assertEqual(stderr.count("\n"), 1, stderr)

    def test_a_table_may_be_a_pipe(self):
        pipe = self.at / "pipe.csv"
        os.mkfifo(pipe)
        rows = (self.at / "d.csv").read_text()
        writer = threading.Thread(target=pipe.write_text, args=(rows,))
        writer.start()
        self.fitted("--epsilon", "1", "--steps", "50", data="pipe.csv")
        writer.join()
        self.assertTrue((self.at / "b").is_dir())

    def test_stan_json_may_not_be_a_pipe(self):
        os.mkfifo(self.at / "pipe.json")
        done = self.fit("--epsilon", "1", data="pipe.json")
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("error[DP301] 'pipe.json' cannot be read: it is a pipe", done.stderr)

    def test_damaged_rows_cost_no_fit_and_leave_nothing(self):
        for name, content, code in (
                ("d.csv", HEADER + "\n1,2,1\n1,2\n", "DP322"),
                ("d.csv", HEADER + '\n1,2,1\n1,"2,1\n', "DP323"),
                ("d.json", '{"N": 2, "K": 2, "x": [[1, 2], [3]], "y": [0, 1]}', "DP331"),
                ("d.json", '{"N": 3, "K": 2, "x": [[1, 2], [3, 4]], "y": [0, 1]}', "DP331"),
                ("d.json", '{"N": 2, "K": 2, "x": [[1, 2], [3, 4]], "y": [0, 1}', "DP330"),
                ("d.json", '{"N": -1, "K": 2, "x": [], "y": []}', "DP331")):
            with self.subTest(content=content):
                self.write(name, content)
                before = sorted(self.at.iterdir())
                done = self.fit("--epsilon", "1", data=name)
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertTrue(done.stderr.startswith(f"error[{code}] {name}:"), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertEqual(sorted(self.at.iterdir()), before)

    def test_an_empty_table_looks_like_one_with_records(self):
        for number, (x, predictor, row) in enumerate((
                ("matrix[N, K] x", "x[n] * beta", [1, 2]),
                ("array[N] vector[K] x", "dot_product(x[n], beta)", [1, 2]),
                ("array[N, K] real x", "dot_product(to_vector(x[n]), beta)", [1, 2]),
                ("array[N] matrix[K, 2] x", "dot_product(col(x[n], 1), beta)", [[1, 2], [3, 4]]),
                ("matrix[N, K + 1] x", "dot_product(x[n, 1:K], beta)", [1, 2, 3]),
                ("matrix[N, 2 * K - 1] x", "dot_product(x[n, 1:K], beta)", [1, 2, 3]),
                ("matrix[N, (K * (K + 1)) %/% 2] x", "dot_product(x[n, 1:K], beta)", [1, 2, 3]))):
            with self.subTest(x=x):
                self.write("m.stan", PARTS.format(x=x, predictor=predictor))
                views = [self.outsiders_view(
                    f"{number}-{records}",
                    json.dumps({"N": records, "x": [row] * records, "y": [1] * records,
                                "K": 2}).encode(), data="d.json") for records in (0, 1, 2)]
                self.assertEqual(views[0], views[1])
                self.assertEqual(views[0], views[2])

    def test_an_empty_table_of_units_looks_like_one_with_records(self):
        self.write("s.toml", '[table]\nunit = "id"\nmax_rows_per_unit = 2\n'
                             '[model]\nrecords = "rows"\n')
        self.write("m.stan", MODEL.replace("N", "rows"))
        views = [self.outsiders_view(
            f"units-{rows}", json.dumps({"rows": rows, "K": 2, "id": ["a"] * rows,
                                         "x": [[1, 2]] * rows, "y": [1] * rows}).encode(),
            "--schema", "s.toml", data="d.json") for rows in (0, 1, 2)]
        self.assertEqual(views[0], views[1])
        self.assertEqual(views[0], views[2])

    def test_sizes_are_declared_and_never_counted_in_the_lists(self):
        messages = set()
        for rows in (0, 1, 2):
            data = {"N": rows, "x": [[1, 2]] * rows, "y": [1] * rows}
            self.write("d.json", json.dumps(data))
            done = self.fit("--epsilon", "1", data="d.json")
            self.assertEqual(done.returncode, 65, done.stderr)
            messages.add(done.stderr)
            self.fitted("--epsilon", "1", "--steps", "20", "-D", "K=2", data="d.json",
                        out=f"declared-{rows}")
            del data["N"]
            self.write("d.json", json.dumps(data))
            self.fitted("--epsilon", "1", "--steps", "20", "-D", "K=2", data="d.json",
                        out=f"uncounted-{rows}")
        self.assertEqual(len(messages), 1, messages)
        self.assertIn("error[DP341] m.stan:4", messages.pop())
