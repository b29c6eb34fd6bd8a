"""Commands to attack with faults, and what must hold after each of them.

Whatever fails, the exit code is a documented one, nothing is half-written and a ledger can be read.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from fit_example import FitCase
from program import PROGRAM, run

EXIT_CODES = {0, 65, 66, 70, 73, 74, 75}
FIT = ["fit", "m.stan", "d.csv", "--schema", "s.toml", "--epsilon", "1", "--steps", "10", "--draws",
       "10", "--threads", "1", "--out", "b"]
QUANTITY = """generated quantities {
  array[N] int z = bernoulli_logit_rng(alpha + x * beta);
}
"""


def is_slow():
    return bool(os.environ.get("DPVI_SLOW"))


def is_whole(folder):
    """True if every file of a bundle's manifest is there, with its hash."""
    manifest = folder / "manifest.json"
    return manifest.exists() and all(
        hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        for name, digest in json.loads(manifest.read_text())["sha256"].items())


def names_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


class Outcome:
    def __init__(self, exit_code, message):
        self.exit_code, self.message = exit_code, message

    def last_line(self):
        return (self.message.strip().splitlines() or [""])[-1]


def bundle_problem(at, outcome):
    saved = list((at.parent / "tmp").glob("dpvi-result-*"))
    bundle = at / "b"
    for folder in saved + [bundle] * bundle.exists():
        if not is_whole(folder):
            return f"half-written {folder.name}"
    if outcome.exit_code == 0 and not bundle.exists():
        return "exit code 0 without a bundle"
    if "The result was saved" in outcome.message and not saved:
        return "the saved result is missing"
    return None


def ledger_problem(at, outcome):
    done = run("budget", "l.db", "verify", cwd=at)
    if done.returncode != 0:
        return f"the ledger does not verify: {done.stderr}"
    shown = json.loads(run("budget", "l.db", "show", "--json", cwd=at).stdout)
    results = (at / "b").exists() or any((at.parent / "tmp").glob("dpvi-result-*"))
    if results and not shown["spent_epsilon"] > 0:
        return "a result exists and nothing is charged"
    return bundle_problem(at, outcome)


def new_ledger_problem(at, outcome):
    if not (at / "l.db").exists():
        return "exit code 0 without a ledger" if outcome.exit_code == 0 else None
    if run("budget", "l.db", "verify", cwd=at).returncode != 0:
        return "the ledger does not verify"
    return None


def store_problem(at, outcome):
    store = at / "p.store"
    if store.exists() != (outcome.exit_code == 0):
        return "exit code 0 without a store" if outcome.exit_code == 0 else "a store was left"
    whole = (at / "whole.store").read_bytes()
    return "half-written store" if store.exists() and store.read_bytes() != whole else None


def tables_problem(at, outcome):
    made = at / "s"
    if outcome.exit_code != 0 and not made.exists():
        return None
    rows = sorted(path.read_text().count("\n") for path in made.glob("*.csv"))
    return None if rows == [6, 6] else f"half-written tables: {rows}"


class FaultCase(FitCase):
    rows = 100

    def setUp(self):
        super().setUp()
        self.write("s.toml", "[table]\nrows = 100\n[model]\nx = [\"x.1\", \"x.2\"]\n")
        self.write("m.stan", (self.at / "m.stan").read_text() + QUANTITY)

    def faults(self, arguments):
        """Returns all faults of a command, and a number to print."""
        raise NotImplementedError

    def outcome(self, arguments, fault, at, environment):
        raise NotImplementedError

    def excused(self, fault, outcome):
        """True if the fault may have this exit code, although it is not clean."""
        raise NotImplementedError

    def add_bundle(self):
        self.fitted("--epsilon", "1", "--steps", "10", "--draws", "10")

    def add_ledger(self):
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)

    def leave_a_started_run(self):
        """Kills a fit with a ledger when it has begun to take steps."""
        arguments = [word if word != "10" else "100000" for word in FIT] + ["--ledger", "l.db"]
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.at, stderr=subprocess.PIPE,
                              text=True) as process:
            self.assertTrue(any(line.startswith("step ") for line in process.stderr))
            process.kill()

    def attack(self, arguments, check=None):
        """Runs the command once with each fault, each time in a copy of the folder."""
        faults = self.faults(arguments)
        problems = []
        for fault in faults:
            problem = self.problem_of(arguments, fault, check or self.changed_files)
            if problem:
                problems.append(f"{fault}: {problem}")
        print(f"{' '.join(arguments[:3])}: {len(faults)} cases")
        self.assertGreater(len(faults), 5)
        self.assertEqual(problems, [], "\n".join(problems))

    def problem_of(self, arguments, fault, check):
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder) / "work"
            shutil.copytree(self.at, at)
            (at.parent / "tmp").mkdir()
            environment = dict(os.environ, TMPDIR=str(at.parent / "tmp"))
            try:
                outcome = self.outcome(arguments, fault, at, environment)
            except subprocess.TimeoutExpired:
                return "no end"
            return self.unclean(fault, outcome, at) or check(at, outcome)

    def unclean(self, fault, outcome, at):
        code, said = outcome.exit_code, outcome.last_line()
        if code not in EXIT_CODES:
            return f"exit code {code}: {said}"
        if code != 0 and not re.search(r"^error\[DP\d+\] .*\S", outcome.message, re.M):
            return f"exit code {code} without a message"
        if code == 70 and not self.excused(fault, outcome):
            return f"exit code 70: {said}"
        left = [name for name in names_in(at) if name.startswith(".dpvi-")]
        return f"left {left}" if left and not self.excused(fault, outcome) else None

    def changed_files(self, at, _outcome):
        changed = names_in(at) ^ names_in(self.at)
        return f"created or removed {changed}" if changed else None
