"""Tests `dpvi fit` interrupted by signals, and a fit whose folder goes away."""
import os
import signal
import subprocess
import time

from program import PROGRAM
from fit_example import FitCase


class FitStopped(FitCase):
    def started(self, *flags, data="d.csv"):
        command = [PROGRAM, "fit", "m.stan", data, "--out", "b", "--epsilon", "1", *flags]
        process = subprocess.Popen(command, cwd=self.at, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def running(self):
        """Starts a fit with too many steps to finish and waits until it runs."""
        process = self.started("--steps", "1000000", "--sampling-rate", ".001")
        while not process.stderr.readline().startswith("Clip bound"):
            self.assertIsNone(process.poll())
        return process

    def test_interrupted_between_steps_writes_nothing_and_ends_with_130(self):
        before = sorted(self.at.iterdir())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            process = self.running()
            process.send_signal(number)
            self.assertEqual(process.wait(60), 130)
            message = process.stderr.read()
            self.assertIn("error[DP501]", message)
            self.assertIn("budget of the whole plan counts as spent", message)
            self.assertEqual(process.stdout.read(), "")
            self.assertEqual(sorted(self.at.iterdir()), before)

    def test_interrupted_while_reading_writes_nothing_and_ends_with_130(self):
        os.mkfifo(self.at / "slow.csv")
        before = sorted(self.at.iterdir())
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.started(data="slow.csv")
            with open(self.at / "slow.csv", "w", encoding="ascii") as writer:
                writer.write("x.1,x.2,y\n")
                writer.flush()
                process.send_signal(number)
                self.assertEqual(process.wait(60), 130)
            self.assertIn("error[DP501]", process.stderr.read())
            self.assertEqual(sorted(self.at.iterdir()), before)

    def test_a_result_that_cannot_be_written_is_saved_elsewhere(self):
        (self.at / "away").mkdir()
        (self.at / "tmp").mkdir()
        os.mkfifo(self.at / "slow.csv")
        command = [PROGRAM, "fit", "m.stan", "slow.csv", "--out", "away/b", "--epsilon", "1",
                   "--steps", "10", "--quiet"]
        process = subprocess.Popen(command, cwd=self.at, text=True, stderr=subprocess.PIPE,
                                   env=dict(os.environ, TMPDIR=str(self.at / "tmp")))
        with open(self.at / "slow.csv", "w", encoding="ascii") as writer:
            writer.write((self.at / "d.csv").read_text())
            writer.flush()
            (self.at / "away").chmod(0o700)
            time.sleep(.5)  # the folder was checked before the header is read
            (self.at / "away").rename(self.at / "gone")
        message = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 73, message)
        self.assertIn("The privacy budget is spent. The result was saved", message)
        saved, = (self.at / "tmp").iterdir()
        self.assertIn(str(saved), message)
        self.ok("verify", saved)

    def test_killed_by_force_leaves_no_bundle_under_the_final_name(self):
        process = self.running()
        process.kill()
        process.wait(60)
        self.assertFalse((self.at / "b").exists())
        self.assertEqual([path.name for path in self.at.iterdir() if path.name.startswith(".dpvi")],
                         [])
