"""Kills and interrupts a fit with a ledger at chosen system calls, and checks what is left.

At least two thirds of the moments are calls that create, write, sync, rename or remove files, of a
fit with a ledger and of one that also saves its steps. DPVI_SLOW=1 takes every such call and 150
random moments, otherwise every sixth and 10.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from fault_case import FIT, FitCase, Outcome, is_slow, ledger_problem
from program import PROGRAM, run
from traced import Trace, can_trace

WRITING = ["openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "mkdir", "rmdir", "unlink",
           "ftruncate", "close", "link"]
COUNTED = FIT + ["--ledger", "l.db"]
SAVED = COUNTED + ["--checkpoint", "k", "--checkpoint-seconds", "0"]


def is_writing(line):
    """False for a file that is opened to be read."""
    return "openat(" not in line or any(flag in line for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))


def resumed_problem(at):
    """What is wrong after the same command with its checkpoint, where a kill left no bundle."""
    again = run(*SAVED, "--quiet", cwd=at)
    if again.returncode != 0:
        return f"the fit is not resumed: {again.stderr}"
    if (at / "k").exists():
        return "the checkpoint is left"
    entries = json.loads(run("budget", "l.db", "show", "--json", cwd=at).stdout)["entries"]
    charged = [entry["state"] for entry in entries if entry["state"] != "voided"]
    return None if charged == ["released"] else f"the resumed fit is charged as {charged}"


@unittest.skipUnless(can_trace(), "strace cannot trace here")
class Kills(FitCase):
    rows = 100

    def setUp(self):
        super().setUp()
        self.stopped = 0
        self.write("s.toml", "[table]\nrows = 100\n")
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)

    def in_copy(self, action):
        """Runs action(folder) in a fresh copy of the test's folder."""
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder) / "work"
            shutil.copytree(self.at, at)
            (at.parent / "tmp").mkdir()
            return action(at)

    def moments(self, command):
        """All calls that write, as pairs of a name and a number."""
        numbers = self.in_copy(lambda at: Trace(command, WRITING, cwd=at).numbers(is_writing))
        every = [(call, number) for call, calls in numbers.items() for number in calls]
        return every if is_slow() else every[::6]

    def problem_after(self, at, outcome):
        """What is wrong with the folder, also after another fit in it."""
        problem = ledger_problem(at, outcome)
        if problem:
            return problem
        left = sorted(str(path.name) for path in at.glob(".dpvi-*"))
        shown = run("verify", at / "b").stderr if (at / "b").exists() else None
        if shown is not None and any(name not in shown for name in left):
            return f"verify does not report {left}: {shown}"
        again = run(*FIT[:-1], "c", "--ledger", "l.db", "--quiet", cwd=at)
        if again.returncode != 0:
            return f"the next fit fails: {again.stderr}"
        left = list(at.glob(".dpvi-*"))
        return f"the next fit does not remove {left}" if left else None

    def killed_at(self, command, moment, number):
        call, count = moment

        def action(at):
            trace = Trace(command, WRITING, cwd=at, inject=f"{call}:signal={number}:when={count}",
                          env=dict(os.environ, TMPDIR=str(at.parent / "tmp")))
            outcome = Outcome(1 if number == "SIGKILL" else trace.exit_code, trace.message)
            self.stopped += trace.exit_code == 130
            allowed = {"SIGKILL": {-signal.SIGKILL, 128 + signal.SIGKILL}, "SIGPIPE": {0}}
            if trace.exit_code not in allowed.get(number, {0, 130}):
                return f"exit code {trace.exit_code}: {outcome.last_line()}"
            problem = resumed_problem(at) if command is SAVED and not (at / "b").exists() else None
            return problem or self.problem_after(at, outcome)

        return self.in_copy(action)

    def killed_after(self, seconds):
        def action(at):
            with subprocess.Popen([PROGRAM, *COUNTED], cwd=at, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(seconds)
                process.kill()
            return self.problem_after(at, Outcome(1, ""))

        return self.in_copy(action)

    def length(self):
        """Seconds that the fit takes here and now."""
        begin = time.monotonic()
        self.in_copy(lambda at: run(*COUNTED, cwd=at))
        return time.monotonic() - begin

    def test_a_killed_fit_leaves_nothing_half_written_and_a_whole_ledger(self):
        moments = [(command, moment) for command in (COUNTED, SAVED)
                   for moment in self.moments(command)]
        generator, length = random.Random(1), self.length()
        random_moments = [generator.uniform(0, length) for _ in range(150 if is_slow() else 10)]
        problems = [(moment, self.killed_at(*moment, "SIGKILL")) for moment in moments]
        problems += [(moment, self.killed_after(moment)) for moment in random_moments]
        print(f"{len(moments)} kills at calls that write, {len(random_moments)} at random moments")
        self.assertEqual([problem for problem in problems if problem[1]], [])
        self.assertGreaterEqual(len(moments), 2 * len(random_moments))
        self.assertGreaterEqual(len(problems), 300 if is_slow() else 30)

    def test_other_signals_end_with_130_and_leave_nothing_half_written(self):
        problems = []
        moments = self.moments(COUNTED)[1::4]  # the first call comes before signals are handled
        for number in ("SIGHUP", "SIGPIPE", "SIGQUIT", "SIGTERM", "SIGINT"):
            problems += [(number, moment, self.killed_at(COUNTED, moment, number))
                         for moment in moments]
        print(f"{len(problems)} signals at calls that write, {self.stopped} stopped the fit")
        self.assertGreater(self.stopped, 0)
        self.assertEqual([problem for problem in problems if problem[-1]], [])
