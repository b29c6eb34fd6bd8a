"""Tests what people see on a terminal: help, suggestions, the bar, completion."""
import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import termios

from program import PROGRAM, ProgramTest, run

COMPLETION = pathlib.Path(__file__).resolve().parents[2] / "cli/completion.bash"
MODEL = """data { int<lower=0> N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
"""


class Help(ProgramTest):
    def test_the_word_help_is_understood(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        self.assertEqual(self.ok("help", "plan"), self.ok("plan", "--help"))
        self.refused("DP101", ["unknown verb 'plam'", "'plan'"], "help", "plam")

    def test_usage_can_be_typed(self):
        self.assertIn("Usage: dpvi fit [OPTIONS] MODEL [DATA]\n", self.ok("fit", "--help"))
        self.assertIn("Usage: dpvi [OPTIONS] [SUBCOMMAND]\n", self.ok("--help"))

    def test_kinds_of_values_are_named(self):
        text = self.ok("fit", "--help-all")
        for words in ("--epsilon NUMBER", "--schema FILE", "--out PATH", "--family NAME",
                      "MODEL FILE REQUIRED"):
            self.assertIn(words, text)

    def test_rare_flags_are_shown_on_request(self):
        self.assertNotIn("--initial-scale", self.ok("fit", "--help"))
        self.assertIn("dpvi fit --help-all", self.ok("fit", "--help"))
        self.assertIn("--initial-scale", self.ok("fit", "--help-all"))

    def test_the_manual_page_has_the_help_of_every_verb(self):
        page = (pathlib.Path(PROGRAM).parent / "dpvi.1").read_text()
        for verb in ("fit", "start", "predict"):
            self.assertIn(f".SH {verb.upper()}\n", page)
        self.assertIn("\\-\\-initial\\-scale", page)
        if shutil.which("man") is None or shutil.which("groff") is None:
            return
        done = subprocess.run(["man", "--warnings", "-l", "-"], input=page, text=True,
                              capture_output=True, env={**os.environ, "MANPAGER": "cat"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--initial-scale", done.stdout)

    def test_a_beginning_of_a_flag_is_suggested(self):
        self.refused("DP101", ["'--eps'", "Did you mean '--epsilon'?"], "plan", "--eps", 1)
        self.refused("DP101", ["Did you mean 'formula'?"], "form")


class Terminal(ProgramTest):
    def setUp(self):
        self.place = self.folder()
        (self.place / "m.stan").write_text(MODEL)
        (self.place / "d.csv").write_text("y\n" + "1\n2\n" * 200)

    def bar(self, columns, **environment):
        """Returns what a fit shows on a terminal of this width."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        fit = subprocess.Popen(
            [PROGRAM, "fit", "m.stan", "d.csv", "--epsilon", "1", "--rows", "400", "--out", "b",
             "--posterior", "variational"],
            cwd=self.place, stdout=subprocess.DEVNULL, stderr=follower,
            env={**os.environ, "TERM": "xterm", **environment})
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            shown += part
        os.close(leader)
        self.assertEqual(fit.wait(), 0, shown)
        return shown.decode()

    def test_the_bar_is_not_wider_than_the_terminal(self):
        for columns in (20, 50, 72, 200):
            shown = self.bar(columns)
            (self.place / "b").rename(self.place / f"b{columns}")
            lines = [line for line in re.split(r"[\r\n]+", shown) if re.search(r"step \d", line)]
            self.assertTrue(lines, shown)
            self.assertLess(max(map(len, lines)), columns)
            if columns != 50:  # there the number of seconds decides
                self.assertEqual(any("[#" in line for line in lines), columns > 50)

    def test_a_dumb_terminal_gets_plain_lines(self):
        shown = self.bar(80, TERM="dumb")
        self.assertNotIn("\r[", shown)
        self.assertIn("step 1000 of 1000", shown)

    def test_a_dash_is_standard_input(self):
        table = (self.place / "d.csv").read_text()
        done = run("fit", "m.stan", "-", "--epsilon", 1, "--rows", 400, "--out", "b", "--quiet",
                   cwd=self.place, input=table)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.place / "b/draws.csv").exists())
        self.assertTrue(self.json("check", "-", cwd=self.place, input=MODEL)["ok"])


class Completion(ProgramTest):
    def completed(self, *words):
        script = (f"source '{COMPLETION}'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                  "_dpvi; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-c", script, "bash", PROGRAM, *words], check=True,
                              capture_output=True, text=True)
        return done.stdout.split()

    def test_verbs_and_flags_are_completed(self):
        self.assertEqual(self.completed("pl"), ["plan"])
        self.assertEqual(self.completed("fit", "--eps"), ["--epsilon"])
        self.assertGreater(len(self.completed("")), 15)
        self.assertIn("--sampling-rate", self.completed("plan", "--s"))
