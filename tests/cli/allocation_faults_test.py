"""Makes allocations of each command fail once, one for each call stack, and checks what is left.

DPVI_SLOW=1 runs at most 2000 stacks for each command, otherwise 40.
"""
import os
import subprocess

from fault_case import (FIT, FaultCase, Outcome, bundle_problem, is_slow, ledger_problem,
                        new_ledger_problem, tables_problem)
from program import PROGRAM

LIBRARY = os.environ.get("DPVI_FAILING_MALLOC")


class AllocationFaults(FaultCase):
    def faults(self, arguments):
        self.stacks = 0
        self.problem_of(arguments, 0, lambda at, outcome: None)
        wanted = 2000 if is_slow() else 40
        return range(1, self.stacks + 1, max(1, -(-self.stacks // wanted)))

    def outcome(self, arguments, fault, at, environment):
        count = at.parent / "count"
        environment |= {"LD_PRELOAD": LIBRARY, "DPVI_FAILING_ALLOCATION": str(fault),
                        "DPVI_COUNT_ALLOCATIONS": str(count)}
        done = subprocess.run([PROGRAM, *arguments], cwd=at, env=environment, capture_output=True,
                              text=True, errors="replace", timeout=60, check=False)
        if fault == 0:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.stacks = int(count.read_text())
        return Outcome(done.returncode, done.stderr)

    def excused(self, fault, outcome):
        return any(words in outcome.message for words in ("out of memory", "error[DP901]", "cryptographic library"))

    def test_fit(self):
        self.attack(FIT, bundle_problem)

    def test_fit_with_ledger(self):
        self.add_ledger()
        self.attack(FIT + ["--ledger", "l.db"], ledger_problem)

    def test_budget(self):
        self.attack(["budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", "--data",
                     "d.csv"], new_ledger_problem)
        self.add_ledger()
        self.attack(["budget", "l.db", "show"], new_ledger_problem)

    def test_predict_and_verify(self):
        self.add_bundle()
        self.attack(["predict", "b", "d.csv"])
        self.attack(["verify", "b"])

    def test_check_and_mock(self):
        self.attack(["check", "m.stan", "--schema", "s.toml"])
        self.attack(["mock", "m.stan", "--schema", "s.toml", "--rows", "5"])

    def test_synth(self):
        self.add_bundle()
        self.attack(["synth", "b", "--rows", "5", "--datasets", "2", "--covariates", "d.csv",
                     "--out", "s"], tables_problem)
