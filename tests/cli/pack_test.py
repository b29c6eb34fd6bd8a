"""Tests `dpvi pack` and fits of record stores: refusals, what stays behind, ledgers."""
import contextlib
import gzip
import os
import signal
import subprocess
import time

from fault_case import is_slow
from fit_example import FitCase, table
from program import PROGRAM, run

SCHEMA = """[table]
rows = 400
one_row_per_person = true

[columns.y]
type = "int"
lower = 0
upper = 1
"""
FIT = ("--schema", "s.toml", "--epsilon", "1", "--steps", "5", "--draws", "20")


class PackCase(FitCase):
    def setUp(self):
        super().setUp()
        self.write("s.toml", SCHEMA)

    def pack(self, data="d.csv", out="d.store", *flags, **options):
        return run("pack", data, "--schema", "s.toml", "--out", out, *flags, cwd=self.at, **options)

    def packed(self, *arguments):
        done = self.pack(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class Pack(PackCase):
    def test_a_store_is_fitted_like_its_table(self):
        shown = self.json("pack", "d.csv", "--schema", "s.toml", "--out", "d.store", cwd=self.at)
        self.assertEqual(shown, {"ok": True, "out": "d.store", "columns": 3, "row_bytes": 17,
                                 "ledger": ""})
        for number, flags in enumerate(((), ("--memory", "0"), ("--memory", "100k".upper()),
                                        ("--memory", "0", "--inspect-first"), ("--non-private",))):
            wanted = FIT if "--non-private" not in flags else ("--schema", "s.toml", "--steps", "5")
            self.fitted(*wanted, *flags, data="d.store", out=f"b{number}")
        self.refused("DP102", ["--memory"], "fit", "m.stan", "d.store", *FIT, "--out", "x",
                     "--memory", "much", cwd=self.at)

    def test_compressed_tables_and_pipes_are_packed(self):
        self.packed()
        whole = (self.at / "d.store").read_bytes()
        self.write("d.csv.gz", gzip.compress((self.at / "d.csv").read_bytes()))
        self.packed("d.csv.gz", "e.store")
        self.assertEqual((self.at / "e.store").read_bytes(), whole)
        done = subprocess.run([PROGRAM, "pack", "-", "--schema", "s.toml", "--out", "f.store"],
                              input=(self.at / "d.csv").read_bytes(), capture_output=True,
                              cwd=self.at, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.at / "f.store").read_bytes(), whole)

    def test_cells_change_no_visible_byte(self):
        messages = set()
        for cells in ("1,2,1", "x,,7", "NA,1e400,0.5", "\xff,\0,9"):
            self.write("d.csv", f"x.1,x.2,y\n{cells}\n".encode("latin-1"))
            out = f"{len(messages)}.store"
            done = self.packed("d.csv", "d.store")
            os.rename(self.at / "d.store", self.at / out)
            messages.add((done.stdout, done.stderr))
        self.assertEqual(len(messages), 1)
        self.write("d.csv", "x.1,x.2,y\n")
        self.packed("d.csv", "empty.store")
        self.fitted(*FIT, data="empty.store", out="b")

    def test_malformed_tables_are_refused_and_leave_nothing(self):
        before = sorted(os.listdir(self.at)) + ["bad.csv"]
        for text, code in (("x.1,x.2,y\n1,2\n", "DP322"), ('x.1,x.2,y\n1,2,"3\n', "DP323"),
                           ("x.1,x.1,y\n", "DP324"), ("", "DP320")):
            self.write("bad.csv", text)
            done = self.pack("bad.csv", "bad.store")
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn(code, done.stderr)
            self.assertEqual(sorted(os.listdir(self.at)), sorted(before))
        self.refused("DP103", ["CSV"], "pack", "d.json", "--out", "x", cwd=self.at)
        self.refused("DP103", ["--out"], "pack", "d.csv", cwd=self.at)
        self.refused("DP402", ["d.csv"], "pack", "d.csv", "--out", "d.csv", exit_code=73,
                     cwd=self.at)

    def test_damaged_stores_are_refused_before_anything_is_spent(self):
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)
        self.packed("d.csv", "d.store", "--ledger", "l.db")
        whole = (self.at / "d.store").read_bytes()
        half = len(whole) // 2
        damaged = {"cut": whole[:half], "one bit": whole[:half] + bytes([whole[half] ^ 1]) +
                   whole[half + 1:], "version": whole[:8] + b"\2" + whole[9:],
                   "start": whole[:20], "seal": whole[:-70] + bytes([whole[-70] ^ 1]) + whole[-69:]}
        for name, content in damaged.items():
            self.write("bad.store", content)
            for memory in ("0", "1G"):
                self.refused("DP380", ["bad.store"], "fit", "m.stan", "bad.store", *FIT, "--quiet",
                             "--ledger", "l.db", "--memory", memory, "--out", "b", exit_code=65,
                             cwd=self.at)
            self.assertEqual(self.json("budget", "l.db", "show", cwd=self.at)["entries"], [], name)
        self.refused("DP320", ["record store"], "inspect", "d.store", "--schema", "s.toml",
                     exit_code=65, cwd=self.at)

    def test_a_plan_is_refused_before_rows_are_read(self):
        self.ok("budget", "l.db", "init", "--epsilon", ".5", "--delta", "1e-6", cwd=self.at)
        self.packed("d.csv", "d.store", "--ledger", "l.db")
        whole = (self.at / "d.store").read_bytes()
        self.write("d.store", whole[:len(whole) // 2])
        done = self.fit(*FIT, "--ledger", "l.db", data="d.store")
        self.assertEqual(done.returncode, 77, done.stderr)

    def test_a_ledger_takes_a_store_for_its_table(self):
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)
        self.fitted(*FIT, "--ledger", "l.db", out="b1")
        self.packed("d.csv", "d.store", "--ledger", "l.db")
        for memory in ("0", "1G"):
            self.fitted(*FIT, "--ledger", "l.db", "--memory", memory, data="d.store",
                        out=f"c{memory}")
        shown = self.json("budget", "l.db", "show", cwd=self.at)
        self.assertEqual([entry["state"] for entry in shown["entries"]], ["released"] * 3)
        self.packed("d.csv", "unknown.store")
        self.refused("DP604", ["dpvi pack --ledger"], "fit", "m.stan", "unknown.store", *FIT,
                     "--quiet", "--ledger", "l.db", "--out", "x", exit_code=65, cwd=self.at)
        self.ok("budget", "l.db", "verify", "b1", "c0", "c1G", cwd=self.at)

    def test_the_ledger_beside_the_table_is_used(self):
        self.ok("budget", "l.db", "init", "--epsilon", "9", "--delta", "1e-6", cwd=self.at)
        self.write("dpvi.toml", 'ledger = "l.db"\n')
        self.assertIn("l.db", self.packed().stderr)
        self.assertNotIn("l.db", self.packed("d.csv", "e.store", "--ledger", "none").stderr)

    def test_a_killed_packing_leaves_nothing_that_the_next_does_not_remove(self):
        rows = table(2000)
        for number in (signal.SIGKILL, signal.SIGTERM):
            before = set(os.listdir(self.at))
            process = subprocess.Popen([PROGRAM, "pack", "-", "--schema", "s.toml", "--out",
                                        "k.store"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                       cwd=self.at)
            process.stdin.write("\n".join(rows).encode())
            process.stdin.flush()
            for _ in range(200):
                if set(os.listdir(self.at)) - before:
                    break
                time.sleep(.05)
            process.send_signal(number)
            if number == signal.SIGTERM:  # it stops after a block of rows, which it must get
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(("\n" + "\n".join(rows[1:])).encode())
                    process.stdin.close()
            process.stderr.read()
            process.stderr.close()
            if number == signal.SIGKILL:
                process.stdin.detach()
            self.assertEqual(process.wait(60), -9 if number == signal.SIGKILL else 130)
            self.assertFalse((self.at / "k.store").exists())
        self.assertEqual([name for name in os.listdir(self.at) if name.startswith(".dpvi-")], [])


class LargeTables(PackCase):
    def used(self, *arguments):
        """Peak memory in bytes of a command that must succeed."""
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.at, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            said = process.stderr.read().decode()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, said)
        return usage.ru_maxrss * 1024

    def memory_for(self, rows):
        """Peaks of packing and of a fit that reads rows in every step, for a table of some rows."""
        # This process stays small: its memory counts in the peak of what it starts.
        lines = "\n".join(table(1000)[1:]) + "\n"
        with open(self.at / "l.csv", "w", encoding="ascii") as file:
            file.write("x.1,x.2,y\n")
            for _ in range(rows // 1000):
                file.write(lines)
        packing = self.used("pack", "l.csv", "--schema", "s.toml", "--out", "l.store", "--quiet")
        fitting = self.used("fit", "m.stan", "l.store", *FIT, "--sampling-rate", ".01", "--memory",
                            "0", "--threads", "2", "--quiet", "--out", f"b{rows}")
        (self.at / "l.store").unlink()
        return packing, fitting

    def test_memory_does_not_grow_with_the_table(self):
        rows = 10_000_000 if is_slow() else 300_000
        small, large = self.memory_for(1000), self.memory_for(rows)
        sampled = 8 * .01 * rows
        self.assertLess(large[0], small[0] + 6e6)
        self.assertLess(large[1], small[1] + 6e6 + 2 * sampled)
