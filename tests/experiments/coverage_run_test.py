"""The command of the coverage experiment: one cell, continued runs, refusals, comparison."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import coverage_modules
import pandas

CELL = "^poisson/n1000/e1$"


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "results"

    def words(self, *words):
        return [coverage_modules.FOLDER / "coverage", "--program", coverage_modules.PROGRAM,
                "--out", self.out, "--cells", CELL, "--jobs", "1", *map(str, words)]

    def run_command(self, *words):
        return subprocess.run(self.words(*words), capture_output=True, text=True)

    def sets(self):
        """Contents of the finished data sets by number."""
        return {path.stem: path.read_bytes()
                for path in (self.out / "sets").rglob("[0-9]*.csv")}

    def test_cell_with_two_data_sets(self):
        """A finished data set is kept, a missing one is measured; other settings are refused."""
        done = self.run_command("--sets", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = pandas.read_csv(self.out / "results.csv")
        self.assertEqual(list(table["block"]), ["intercept", "slopes"])
        self.assertEqual(list(table["sets"]), [2, 2])
        self.assertTrue(table["coverage"].between(0, 1).all())
        self.assertTrue((table["score_ratio"] > 0).all())
        self.assertEqual(len(pandas.read_csv(self.out / "raw.csv")), 2 * 6)
        self.assertTrue((self.out / "coverage_regressions.png").exists())

        before = self.sets()
        next((self.out / "sets").rglob("0001.csv")).unlink()
        done = self.run_command("--sets", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.sets().keys(), before.keys())
        self.assertEqual(self.sets()["0000"], before["0000"])

        refused = self.run_command("--sets", 2, "--seed", 1)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("holds other results (seed was", refused.stderr)

        compared = self.run_command("--compare", self.out, self.out)
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn("coverage_1,coverage_2", compared.stdout)
        self.assertIn("The data sets are the same", compared.stderr)

    def test_killed_run_continues(self):
        running = subprocess.Popen(self.words("--sets", 8), stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        deadline = time.monotonic() + 120
        while not self.sets() and running.poll() is None and time.monotonic() < deadline:
            time.sleep(.05)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        before = self.sets()
        self.assertTrue(before)
        done = self.run_command("--sets", 8)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.sets()
        self.assertEqual(len(after), 8)
        self.assertEqual({number: after[number] for number in before}, before)

    def test_self_test_needs_no_program(self):
        done = self.run_command("--sets", 2, "--self-test", "--program", "/nonexistent")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(pandas.read_csv(self.out / "results.csv")["status"]), {"self-test 2"})

    def test_list_has_no_cells_for_tuning_unless_asked(self):
        listed = subprocess.run([coverage_modules.FOLDER / "coverage", "--list"],
                                capture_output=True, text=True).stdout
        self.assertIn("regressions: linear/n1000/e0.1", listed)
        self.assertNotIn("tuning", listed)


if __name__ == "__main__":
    unittest.main()
