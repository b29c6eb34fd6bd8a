"""dpvi-mpi: fits on several processes, started by mpirun."""
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM, MPI_PROGRAM = os.environ["DPVI_PROGRAM"], os.environ["DPVI_MPI_PROGRAM"]
MODEL = """
data { int<lower=0> N; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 2); y ~ bernoulli_logit(a + b * x); }
"""
SETTINGS = ["--epsilon", "1", "--delta", "1e-6", "--rows", "900", "--draws", "20", "--threads", "1",
            "--steps", "12", "--sampling-rate", ".3", "--posterior", "variational"]


class Mpi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        (self.at / "m.stan").write_text(MODEL)
        numbers = random.Random(5)
        self.rows = [f"{numbers.gauss(0, 1):.6f},{numbers.randrange(2)}" for _ in range(900)]
        self.write("d.csv", self.rows)

    def write(self, name, rows):
        (self.at / name).write_text("\n".join(["x,y", *rows]) + "\n")

    def write_parts(self, cuts):
        for rank, (begin, end) in enumerate(zip([0, *cuts], [*cuts, len(self.rows)])):
            self.write(f"part-{rank}.csv", self.rows[begin:end])

    def run_on(self, ranks, data, out, *more):
        """One process without MPI if `ranks` is None. The keys are the same in every run."""
        words = ["m.stan", data, "--out", out, *SETTINGS, *more]
        command = [PROGRAM, "fit", *words, "--quiet"]
        if ranks is not None:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), MPI_PROGRAM,
                       *words]
        return subprocess.run(command, cwd=self.at, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LD_PRELOAD": os.environ["DPVI_FIXED_ENTROPY"],
                                   "OMPI_MCA_rmaps_base_oversubscribe": "1"})

    def draws_of(self, ranks, data, out, *more):
        done = self.run_on(ranks, data, out, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.at / out / "draws.csv").read_text().splitlines()
        return [line for line in lines if "datetime" not in line]

    def ledger(self, *words):
        done = subprocess.run([PROGRAM, "budget", "l.ledger", *words], cwd=self.at, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def states(self):
        return [entry["state"] for entry in json.loads(self.ledger("show", "--json"))["entries"]]

    def test_the_result_is_that_of_one_process(self):
        self.write_parts([200, 200])
        expected = self.draws_of(None, "d.csv", "one")
        self.assertEqual(self.draws_of(2, "d.csv", "whole"), expected)
        self.assertEqual(self.draws_of(3, "part-{rank}.csv", "parts"), expected)

    def start_with_checkpoint(self):
        """Two ranks, which save every step. Each writes the number of its process to a file."""
        steps = ["250" if word == "12" else word for word in SETTINGS]
        script = (f'echo $$ > pid-$OMPI_COMM_WORLD_RANK; exec {MPI_PROGRAM} m.stan "part-{{rank}}.csv" '
                  "--out second --ledger l.ledger --checkpoint saved --checkpoint-seconds 0 "
                  + " ".join(steps))
        return subprocess.Popen(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", "sh", "-c",
                                 script], cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def test_a_lost_rank_leaves_the_fit_charged_and_it_resumes(self):
        self.ledger("init", "--epsilon", "10")
        self.write_parts([300])
        self.draws_of(2, "part-{rank}.csv", "first", "--ledger", "l.ledger")
        self.assertEqual(self.states(), ["released"])
        job = self.start_with_checkpoint()
        saved = self.at / "saved"
        deadline = time.monotonic() + 120
        while not saved.exists() or saved.stat().st_size < 1500:
            self.assertIsNone(job.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)
        os.kill(int((self.at / "pid-1").read_text()), signal.SIGKILL)
        _, errors = job.communicate(timeout=120)
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("rank 1", errors)
        self.assertFalse((self.at / "second").exists())
        self.assertEqual(self.states(), ["released", "reserved"])
        # The same command goes on, and is not charged again.
        job = self.start_with_checkpoint()
        _, errors = job.communicate(timeout=240)
        self.assertEqual(job.returncode, 0, errors)
        self.assertTrue((self.at / "second").exists())
        self.assertEqual(self.states(), ["released", "released"])

    def test_a_rank_without_its_part_ends_the_job(self):
        self.ledger("init", "--epsilon", "10")
        self.write_parts([300])
        done = self.run_on(3, "part-{rank}.csv", "out", "--ledger", "l.ledger")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 2: error[DP301] 'part-2.csv'", done.stderr)
        self.assertIn("rank 0: error[DP502] rank 2 could not open its records.", done.stderr)
        self.assertFalse((self.at / "out").exists())
        self.assertEqual(self.states(), [])


if __name__ == "__main__":
    unittest.main()
