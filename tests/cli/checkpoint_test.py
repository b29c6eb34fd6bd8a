"""Tests `dpvi fit --checkpoint`: kills, resumed runs, and checkpoints that must be refused."""
import os
import resource
import shutil
import signal
import subprocess
import time

from fit_example import FitCase
from program import PROGRAM, run

STEPS = {"variational": 60, "trace": 20}


class CheckpointCase(FitCase):
    rows = 2000

    def setUp(self):
        super().setUp()
        self.ok("budget", self.at / "a.ledger", "init", "--epsilon", "90")
        self.saved = self.at / "c"

    def flags(self, out="b", posterior="variational", checkpoint="c", ledger="a.ledger",
              data="d.csv"):
        return ["fit", "m.stan", data, "--out", out, "--epsilon", "1", "--rows", "2000", "--quiet",
                "--steps", str(STEPS[posterior]), "--posterior", posterior, "--threads", "1",
                "--ledger", ledger, "--checkpoint", checkpoint, "--checkpoint-seconds", "0"]

    def start(self, **options):
        return subprocess.Popen([PROGRAM, *self.flags(**options)], cwd=self.at,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def fit(self, *more, **options):
        return run(*self.flags(**options), *more, cwd=self.at)

    def entries(self):
        return self.json("budget", self.at / "a.ledger", "show")["entries"]

    def killed_at(self, size, **options):
        """Kills a fit when its checkpoint has this size. Returns True if it was in time."""
        fit = self.start(**options)
        while fit.poll() is None:
            if self.saved.exists() and self.saved.stat().st_size >= size:
                fit.send_signal(signal.SIGKILL)
                break
            time.sleep(.0005)
        fit.communicate()
        return fit.returncode == -signal.SIGKILL

    def is_counted_once(self, out, number):
        self.assertFalse(self.saved.exists())
        entries = self.entries()
        self.assertEqual(len(entries), number)
        self.assertEqual(entries[-1]["state"], "released")
        done = run("verify", out, "--ledger", "a.ledger", cwd=self.at)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run("budget", "a.ledger", "verify", out, cwd=self.at)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Checkpoints(CheckpointCase):
    def test_a_killed_fit_goes_on_and_is_charged_once(self):
        """Kills most fits twice, at moments spread over their whole length, of both kinds."""
        kills, runs = 0, 0
        for posterior in ("variational", "trace"):
            begin = time.monotonic()
            done = self.fit(out=f"whole-{posterior}", posterior=posterior)
            self.assertEqual(done.returncode, 0, done.stderr)
            length = time.monotonic() - begin
            runs += 1
            for i in range(8):
                out = f"{posterior}-{i}"
                for part in (i + 1, i + 2):
                    fit = self.start(out=out, posterior=posterior)
                    time.sleep(length * part / 10)
                    fit.send_signal(signal.SIGKILL)
                    fit.communicate()
                    killed = fit.returncode == -signal.SIGKILL
                    kills += killed
                    length *= 1.0 if killed else 0.7  # the machine was busier before
                    if (self.at / out).exists():
                        break
                if not (self.at / out).exists():
                    done = self.fit(out=out, posterior=posterior)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertFalse(self.saved.exists())
                elif self.saved.exists():  # killed after the rename
                    self.saved.unlink()
                done = run("verify", out, "--ledger", "a.ledger", cwd=self.at)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                runs += 1
                charged = [entry for entry in self.entries() if entry["state"] != "voided"]
                self.assertEqual(len(charged), runs, [(e["id"], e["state"]) for e in self.entries()])
        print(f"{kills} kills")
        self.assertGreaterEqual(kills, 20)

    def test_a_resumed_fit_repeats_its_saved_steps(self):
        for number, posterior in enumerate(("variational", "trace"), 1):
            with self.subTest(posterior=posterior):
                self.assertTrue(self.killed_at(1500, posterior=posterior))
                self.assertEqual(self.entries()[-1]["state"], "reserved")
                done = self.fit(posterior=posterior, out=posterior)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.is_counted_once(posterior, number)

    def test_stale_copies_are_refused(self):
        fit = self.start()
        while not self.saved.exists() or self.saved.stat().st_size < 3000:
            self.assertIsNone(fit.poll())
            time.sleep(.0005)
        shutil.copy(self.saved, self.at / "old")
        while self.saved.stat().st_size < 6000:
            self.assertIsNone(fit.poll())
            time.sleep(.0005)
        fit.send_signal(signal.SIGKILL)
        fit.communicate()
        done = self.fit(checkpoint="old")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("stale", done.stderr)
        shutil.copy(self.saved, self.at / "copy")
        self.assertEqual(self.fit().returncode, 0)
        done = self.fit(checkpoint="copy", out="again")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("was released", done.stderr)
        self.assertFalse((self.at / "again").exists())
        self.is_counted_once("b", 1)

    def test_a_file_is_not_read_further_than_its_steps(self):
        self.assertTrue(self.killed_at(2000))
        os.truncate(self.saved, 1 << 40)
        limit = resource.RLIM_INFINITY
        done = subprocess.run([PROGRAM, *self.flags()], cwd=self.at, capture_output=True, text=True,
                              check=False, preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_AS, (4 << 30, limit)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.is_counted_once("b", 1)

    def test_of_two_resumed_copies_one_publishes(self):
        self.assertTrue(self.killed_at(3000))
        shutil.copy(self.saved, self.at / "copy")
        fits = [self.start(out="b1"), self.start(out="b2", checkpoint="copy")]
        errors = [fit.communicate()[1] for fit in fits]
        codes = sorted(fit.returncode for fit in fits)
        self.assertEqual(codes[0], 0, errors)
        self.assertIn(codes[1], (65, 77), errors)
        self.assertEqual(len([out for out in ("b1", "b2") if (self.at / out).exists()]), 1)
        self.assertEqual(len(self.entries()), 1)

    def test_other_runs_tables_and_ledgers_are_refused(self):
        self.assertTrue(self.killed_at(3000))
        content = self.saved.read_bytes()
        text = (self.at / "d.csv").read_text()
        self.write("e.csv", text.replace("1\n", "0\n", 1))
        self.ok("budget", self.at / "b.ledger", "init", "--epsilon", "90")
        for words, flags, options in (
                ("another model, plan", ("--delta", "1e-7"), {}),
                ("same points", ("--learning-rate", "0.5"), {}),
                ("not the one that the run began with", (), {"data": "e.csv"}),
                ("another ledger", (), {"ledger": "b.ledger"})):
            with self.subTest(words=words):
                done = self.fit(*flags, **options)
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse((self.at / "b").exists())
        for damaged in (b"no checkpoint\n", content[:len(content) // 2],
                        content[:200] + bytes([content[200] ^ 1]) + content[201:]):
            self.saved.write_bytes(damaged)
            self.assertEqual(self.fit().returncode, 65)
        self.saved.write_bytes(content)
        self.assertEqual(self.fit().returncode, 0)

    def test_the_file_shows_nothing_and_needs_a_ledger(self):
        self.assertTrue(self.killed_at(3000))
        first, rest = self.saved.read_bytes().split(b"\n", 1)
        self.assertTrue(first.startswith(b"dpvi checkpoint 1 "))
        # Encrypted bytes are evenly spread: half of all doubles would begin with 0x3f or 0xbf. Zeros
        # do not count, since the sizes of the parts are in clear.
        share = max(rest.count(bytes([byte])) for byte in range(1, 256)) / len(rest)
        self.assertLess(share, .03)
        self.assertEqual(self.saved.stat().st_mode & 0o777, 0o600)
        done = self.fit(ledger="none")
        self.assertEqual(done.returncode, 64)
        self.assertIn("needs a ledger", done.stderr)
