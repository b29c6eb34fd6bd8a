"""Hostile inputs end with a clear error, in little time and memory."""
import gzip
import json
import os
import shutil
import signal
import struct

from fit_example import FitCase
from forged_bundle import forge
from program import PROGRAM

SECONDS = 2  # of processor time
MEMORY = 200 << 20
FLAGS = ("--epsilon", "1", "--steps", "10", "--quiet", "--out", "o")
DEEP = 200_000


def zstandard(byte, size):
    """Returns a Zstandard frame (RFC 8878) whose blocks repeat one byte 128 KiB times each."""
    block = 128 << 10
    blocks = [struct.pack("<I", (i == size // block - 1) | 1 << 1 | block << 3)[:3] + byte
              for i in range(size // block)]
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(blocks)


class BoundedInputs(FitCase):
    def refuses(self, *arguments, codes=(64, 65, 66)):
        """Runs the program and measures it; wait4 knows the child's own peak of memory."""
        messages = self.at / "messages"
        child = os.fork()
        if child == 0:
            os.chdir(self.at)
            out = os.open(messages, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
            os.dup2(out, 1)
            os.dup2(out, 2)
            signal.alarm(60)
            os.execv(PROGRAM, [PROGRAM, *map(str, arguments)])
        _, status, usage = os.wait4(child, 0)
        text = messages.read_text(errors="replace")
        self.assertIn(os.waitstatus_to_exitcode(status), codes, (arguments, text))
        self.assertRegex(text, r"error\[DP\d+\]")
        self.assertLess(usage.ru_utime + usage.ru_stime, SECONDS, arguments)
        self.assertLess(usage.ru_maxrss * 1024, MEMORY, arguments)

    def test_deep_toml(self):
        for name, text in (("keys", "a." * DEEP + "a = 1\n"), ("table", "[" + "a." * DEEP + "a]\n"),
                           ("quoted", "'a'." * DEEP + "a = 1\n"),
                           ("inline", "x = {" + "a." * DEEP + "a = 1}\n"),
                           ("arrays", "x = " + "[" * DEEP + "]" * DEEP + "\n"),
                           ("tables", "x = " + "{a=" * DEEP + "1" + "}" * DEEP + "\n")):
            file = self.write(name + ".toml", text)
            self.refuses("fit", "m.stan", "d.csv", "--schema", file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--config", file, *FLAGS)
            shutil.copy(file, self.at / "dpvi.toml")
            self.refuses("fit", "m.stan", "d.csv", *FLAGS)
            (self.at / "dpvi.toml").unlink()

    def test_dots_in_texts_and_comments_are_no_deep_keys(self):
        dots = "." * 500
        self.write("s.toml", f"# {dots}\n[table]\nrows = 400\nmissing = ['{dots}', \"\\\"{dots}\"]\n"
                             f"[study]\npurpose = '''\n{dots}\n'''\n")
        self.fitted("--epsilon", "1", "--steps", "10", "--schema", "s.toml")

    def test_deep_json(self):
        for name, text in (("lists", "[" * DEEP), ("objects", '{"a":' * DEEP),
                           ("in", '{"x": ' + "[" * DEEP + "]" * DEEP + "}")):
            file = self.write(name + ".json", text)
            self.refuses("fit", "m.stan", file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--public", file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--init", file, *FLAGS)
            self.refuses("check", "m.stan", "--data", file, "--at", file)

    def test_deep_programs(self):
        for text in ("target += " + "(" * DEEP + "1" + ")" * DEEP, "target += " + "-" * DEEP + "1",
                     "{" * DEEP + "}" * DEEP, "if (1) " * DEEP, "target += " + "1 ? 1 : " * DEEP,
                     "real x = a" + "[" * DEEP, "target += " + "1+" * DEEP,
                     "target += " + "exp(" * DEEP):
            self.write("deep.stan", "model { " + text + "; }")
            self.refuses("check", "deep.stan")

    def test_files_that_expand(self):
        zeros = self.write("zeros.gz", gzip.compress(bytes(100_000_000), 6))
        self.assertLess(zeros.stat().st_size, 100_000)
        rows = self.write("rows.csv.gz", gzip.compress(b"x.1,x.2,y\n" + b"1,1,1\n" * 15_000_000))
        gigabytes = self.write("zeros.csv.zst", zstandard(b"0", 3 << 30))
        self.assertLess(gigabytes.stat().st_size, 100_000)
        for file in (zeros, rows, gigabytes):
            self.refuses("fit", "m.stan", file, *FLAGS)
            self.refuses("check", file)
            self.refuses("fit", "m.stan", "d.csv", "--schema", file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--config", file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--public", file, *FLAGS)

    def test_devices_and_pipes_without_a_writer(self):
        os.mkfifo(self.at / "pipe")
        self.fitted("--epsilon", "1", "--steps", "10")
        self.ok("budget", "l.db", "init", "--epsilon", "9", cwd=self.at)
        for file in ("/dev/zero", "/dev/random", "pipe"):
            self.refuses("check", file)
            self.refuses("fit", "m.stan", file, *FLAGS)
            for flag in ("--schema", "--config", "--public", "--init", "--ledger"):
                self.refuses("fit", "m.stan", "d.csv", flag, file, *FLAGS)
            self.refuses("fit", "m.stan", "d.csv", "--ledger", "l.db", "--checkpoint", file, *FLAGS)
            self.refuses("predict", "b", file)
            self.refuses("synth", "b", "--rows", "3", "--covariates", file, "--out", "s")
            self.refuses("verify", "b", "--ledger", file)
            self.refuses("budget", file, "show")
            self.refuses("verify", file)
            self.refuses("summary", file)

    def test_hostile_files_in_a_bundle(self):
        self.fitted("--epsilon", "1", "--steps", "10")
        os.mkfifo(self.at / "pipe")
        for name in ("run.json", "posterior.json", "statement.json", "manifest.json", "draws.csv",
                     "model.stan"):
            for content in ("deep", "/dev/zero", "pipe"):
                shutil.rmtree(self.at / "h", ignore_errors=True)
                shutil.copytree(self.at / "b", self.at / "h")
                (self.at / "h" / name).unlink()
                if content == "deep":
                    (self.at / "h" / name).write_text("[" * DEEP)
                else:
                    (self.at / "h" / name).symlink_to(self.at / content)
                self.refuses("summary", "h")
                self.refuses("verify", "h")

    def test_a_large_size_in_a_bundle(self):
        self.write("m.stan", """data { int<lower=0> N; int<lower=1> J; vector[N] x; }
parameters { vector[J] a; }
model { a ~ normal(0, 1); x ~ normal(a[1], 1); }
generated quantities { array[N] real x_rep; for (n in 1:N) x_rep[n] = normal_rng(a[1], 1); }
""")
        self.write("d.csv", "x\n" + "1\n" * 50)
        self.fitted("--epsilon", "1", "--steps", "10", "-D", "J=3")
        for size in (1_000_000, 2_000_000_000):
            run_json = self.at / "b" / "run.json"
            run = json.loads(run_json.read_text())
            run["inputs"]["public_data"]["J"] = size
            run_json.write_text(json.dumps(run))
            forge(self.at / "b", "run.json")
            self.refuses("predict", "b", "d.csv")
            self.refuses("synth", "b", "--rows", "3", "--out", "s")
