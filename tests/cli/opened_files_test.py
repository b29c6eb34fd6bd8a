"""Tests which files and sockets a private fit opens."""
import re
import unittest

from fit_example import FitCase
from traced import Trace, can_trace

# Files of the system that are read before the rows.
SYSTEM = {"/dev/null", "/dev/urandom", "/etc/localtime", "/sys/devices/system/cpu/online",
          "/usr/lib/ssl/openssl.cnf"}
BUNDLE = {"draws.csv", "posterior.json", "posterior.nc", "statement.json", "statement.md", "run.json",
          "model.stan", "schema.toml", "report.html", "manifest.json"}


@unittest.skipUnless(can_trace(), "strace cannot trace here")
class OpenedFiles(FitCase):
    def setUp(self):
        super().setUp()
        self.write("s.toml", "[table]\nrows = 400\n")
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)

    def fit_lines(self, *flags):
        trace = Trace(["fit", "m.stan", "d.csv", "--schema", "s.toml", "--epsilon", "1", "--steps",
                       "20", "--out", "b", "--ledger", "l.db", *flags],
                      ["%file", "%network", "%process"], cwd=self.at)
        self.assertEqual(trace.exit_code, 0, trace.message)
        return trace.own_lines()

    def opened(self, lines):
        """Names of the files that are opened, and of programs that are started."""
        names = set()
        for line in lines:
            call = re.search(r'(?:open|openat|execve)\((?:AT_FDCWD, )?"([^"]*)"', line)
            if call:
                names.add(call[1].removeprefix(str(self.at) + "/").removeprefix("./"))
        return names

    # Between reading the rows and the rename, a fit opens only its ledger and its own files.
    def test_a_fit_opens_only_listed_files_and_no_socket(self):
        for flags in ((), ("--posterior", "trace")):
            with self.subTest(flags):
                lines = self.fit_lines(*flags)
                for line in lines:
                    self.assertIsNone(re.search(r"\b(socket|connect|execve|fork|vfork)\(", line), line)
                begin = max(i for i, line in enumerate(lines) if '"d.csv"' in line) + 1
                end = next(i for i, line in enumerate(lines) if re.search(r'rename\(.*"b"', line))
                ledger = {"l.db", "l.db-wal", "l.db-shm", "l.db.head"}
                inputs = {"m.stan", "d.csv", "s.toml", "dpvi.toml"}
                before = {re.sub(r"^\.dpvi-[0-9a-f]{16}", ".dpvi-", name)
                          for name in self.opened(lines[:begin])}
                self.assertLessEqual(before, SYSTEM | inputs | ledger | {".", ".dpvi-", str(self.at)})
                between = {re.sub(r"^\.dpvi-[0-9a-f]{16}", ".dpvi-", name)
                           for name in self.opened(lines[begin:end])}
                self.assertIn(".dpvi-/posterior.nc", between)
                self.assertLessEqual(between, {".", ".dpvi-"} | {f".dpvi-/{name}" for name in BUNDLE}
                                     | ledger | {"/dev/urandom", str(self.at)})  # SQLite's own
                (self.at / "b").rename(self.at / f"b{len(flags)}")

    def synced(self, lines):
        """Paths in the order in which they were synced; "rename" stands for the bundle's new name."""
        paths, order = {}, []
        for line in lines:
            if opened := re.search(r'openat\(AT_FDCWD, "([^"]*)".* = (\d+)$', line):
                paths[opened[2]] = re.sub(r"^.*\.dpvi-[0-9a-f]{16}", ".dpvi-", opened[1])
            elif done := re.search(r"(?:fsync|fdatasync)\((\d+)\) += 0", line):
                order.append(paths[done[1]].removeprefix(str(self.at) + "/"))
            elif re.search(r'rename\(.*"b"', line):
                order.append("rename")
        return order

    # A power failure after the exit code cannot take back what was reported.
    def test_files_are_on_disk_before_the_name_and_the_folder_after_it(self):
        trace = Trace(["fit", "m.stan", "d.csv", "--schema", "s.toml", "--epsilon", "1", "--steps",
                       "20", "--out", "b", "--ledger", "l.db"],
                      ["openat", "fsync", "fdatasync", "rename"], cwd=self.at)
        self.assertEqual(trace.exit_code, 0, trace.message)
        order = self.synced(trace.own_lines())
        at = order.index("rename")
        before, after = order[:at], order[at + 1:]
        self.assertLessEqual({f".dpvi-/{name}" for name in BUNDLE} | {".dpvi-", "l.db-wal"},
                             set(before))
        self.assertIn(".", after)  # the folder that holds the bundle
        self.assertIn("l.db-wal", after)  # the ledger knows that the bundle has its name
        first_file = min(before.index(f".dpvi-/{name}") for name in BUNDLE)
        self.assertGreater(before[:first_file].count("l.db-wal"), 1)  # reserved and started
