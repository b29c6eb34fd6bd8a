"""Makes each system call of each command fail once, by strace, and checks what is left.

DPVI_SLOW=1 runs every case, otherwise every eleventh.
"""
import unittest

from fault_case import (FIT, FaultCase, Outcome, bundle_problem, is_slow, ledger_problem,
                        new_ledger_problem, store_problem, tables_problem)
from traced import Trace, can_trace

# Errors that a call can meet. What the C library or SQLite does after them is not tested with EINTR
# where the kernel never returns it for files.
ERRORS = {
    "openat": ["EIO", "EMFILE", "ENOSPC", "EACCES", "EINTR"],
    "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"], "readv": ["EIO", "EINTR"],
    "write": ["EIO", "ENOSPC", "EINTR"], "pwrite64": ["EIO", "ENOSPC", "EINTR"],
    "writev": ["EIO", "ENOSPC", "EINTR"], "fsync": ["EIO"], "fdatasync": ["EIO"],
    "rename": ["EIO", "ENOSPC"], "renameat2": ["EIO", "ENOSPC"], "link": ["EIO", "ENOSPC"],
    "mkdir": ["EIO", "ENOSPC", "EACCES"], "unlink": ["EIO"], "unlinkat": ["EIO"], "rmdir": ["EIO"],
    "close": ["EIO", "EINTR"], "mmap": ["ENOMEM"], "munmap": ["ENOMEM"], "madvise": ["EINVAL"],
    "mprotect": ["ENOMEM"], "newfstatat": ["EIO", "EACCES"], "fstat": ["EIO"], "lseek": ["EIO"],
    "ftruncate": ["EIO"], "fallocate": ["ENOSPC", "EIO", "EINTR"], "getdents64": ["EIO"],
    "flock": ["EIO", "EINTR"], "clone3": ["EAGAIN"], "getrandom": ["EINTR"],
    "ioctl": ["EIO"], "access": ["EIO"], "readlink": ["EIO"], "getcwd": ["EIO"], "statfs": ["EIO"],
    "fchown": ["EPERM"],
}
# Calls that remove a temporary folder. If one fails, the folder stays until the next run.
REMOVING = {"unlink", "unlinkat", "rmdir", "openat", "getdents64", "newfstatat", "mmap"}


class Fault:
    def __init__(self, call, number, error):
        self.call, self.number, self.error = call, number, error

    def __str__(self):
        return f"{self.call}:error={self.error}:when={self.number}"


@unittest.skipUnless(can_trace(), "strace cannot trace here")
class Faults(FaultCase):
    def faults(self, arguments):
        self.numbers = {}
        self.problem_of(arguments, None, lambda at, outcome: None)
        faults = [Fault(call, number, error) for call, calls in self.numbers.items()
                  for number in calls for error in ERRORS[call]]
        return faults if is_slow() else faults[::11]

    def outcome(self, arguments, fault, at, environment):
        trace = Trace(arguments, list(ERRORS), inject=str(fault) if fault else None, cwd=at,
                      env=environment)
        if fault is None:
            self.assertEqual(trace.exit_code, 0, trace.message)
            self.numbers = trace.numbers()
        return Outcome(trace.exit_code, trace.message)

    def excused(self, fault, outcome):
        if outcome.exit_code == 70:
            # Pages that the kernel does not keep out of dumps are not used for keys.
            return (fault.error == "ENOMEM" or fault.call == "madvise") and any(
                words in outcome.message for words in ("out of memory", "cannot allocate a cipher"))
        return fault is None or fault.call in REMOVING

    def unclean(self, fault, outcome, at):
        if fault and fault.error == "EINTR" and outcome.exit_code != 0:
            return f"not retried: exit code {outcome.exit_code}: {outcome.last_line()}"
        return super().unclean(fault, outcome, at)

    def test_fit(self):
        self.attack(FIT, bundle_problem)

    def test_fit_with_ledger(self):
        self.add_ledger()
        self.attack(FIT + ["--ledger", "l.db"], ledger_problem)

    def test_fit_with_checkpoint(self):
        self.add_ledger()
        self.attack(FIT + ["--ledger", "l.db", "--checkpoint", "k", "--checkpoint-seconds", "0"],
                    ledger_problem)

    def test_budget_init(self):
        self.attack(["budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", "--data",
                     "d.csv"], new_ledger_problem)

    def test_reading_a_ledger(self):
        self.add_ledger()
        self.fitted("--epsilon", "1", "--steps", "10", "--ledger", "l.db")
        for verb in ("show", "verify", "export"):
            self.attack(["budget", "l.db", verb], new_ledger_problem)

    def test_forgiving(self):
        self.add_ledger()
        self.leave_a_started_run()
        self.attack(["budget", "l.db", "forgive", "1", "--who", "A", "--why", "B"],
                    new_ledger_problem)

    def test_predict(self):
        self.add_bundle()
        self.attack(["predict", "b", "d.csv"])

    def test_summary_verify_and_report(self):
        self.add_bundle()
        self.attack(["summary", "b"])
        self.attack(["verify", "b"])
        self.attack(["report", "b", "--out", "r.html"], lambda at, _: None if not (
            at / "r.html").exists() or (at / "r.html").read_text().endswith("</html>\n") else "half")

    def test_check_and_mock(self):
        self.attack(["check", "m.stan", "--schema", "s.toml"])
        self.attack(["mock", "m.stan", "--schema", "s.toml", "--rows", "5"])

    def test_pack(self):
        self.ok("pack", "d.csv", "--schema", "s.toml", "--out", "whole.store", cwd=self.at)
        self.attack(["pack", "d.csv", "--schema", "s.toml", "--out", "p.store"], store_problem)

    def test_fit_of_a_store(self):
        self.ok("pack", "d.csv", "--schema", "s.toml", "--out", "p.store", cwd=self.at)
        command = [word if word != "d.csv" else "p.store" for word in FIT]
        self.attack(command + ["--memory", "0"], bundle_problem)

    def test_synth(self):
        self.add_bundle()
        self.attack(["synth", "b", "--rows", "5", "--datasets", "2", "--covariates", "d.csv",
                     "--out", "s"], tables_problem)
