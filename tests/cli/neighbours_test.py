"""Compares whole runs of the program on neighbouring tables, with the same noise.

A record of the table is added, removed or replaced. Everything that an outsider sees must be the
same, byte for byte, except numbers that follow from a release. Records that cannot be used leave the
releases as they are, and then every byte of every file must be the same.
"""
import os
import re

from fit_example import HEADER, FitCase, table

LIBRARY = os.environ.get("DPVI_FIXED_ENTROPY")
NUMBER = re.compile(r"(?<![A-Za-z_])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|NaN|-?Inf|nan|inf)")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z| UTC)?")
ROWS = table(60)

# The last record of the table in each neighbour; None has no such record.
NEIGHBOURS = {
    "removed": None, "far": "1e30,-1e30,1", "extreme": "1e308,-1e308,1", "not a number": "NaN,NaN,0", "infinite": "inf,-inf,1",
    "missing": ",,", "unparsable": "\u00e9x,1.2.3,maybe", "out of range": "1,1,17",
    "nothing but quotes": '"","",""', "overflow": "1e400,1,1", "long": "1" * 3000 + ",2,0",
}
COUNTED = {"far"}  # the others add nothing, like a record that is not there

# Posterior and status follow from releases. Everything else in these files must not change.
FROM_RELEASES = {"posterior.json", "draws.csv", "posterior.nc", "report.html", "manifest.json"}


class Neighbours(FitCase):
    maxDiff = None
    by_unit = False

    def view(self, name, last):
        """All that an outsider sees of a fit: outputs and files."""
        folder = self.at / name.replace(" ", "_")
        folder.mkdir()
        lines = ROWS[:-1] + ([last] if last is not None else [])
        if self.by_unit:
            lines = [f"id,{HEADER}"] + [f"{i // 3},{line}" for i, line in enumerate(lines[1:])]
            (folder / "s.toml").write_text('[table]\nunit = "id"\nmax_rows_per_unit = 4\n')
        (folder / "d.csv").write_bytes(("\n".join(lines) + "\n").encode("latin-1"))
        (folder / "m.stan").write_text((self.at / "m.stan").read_text())
        self.at, kept = folder, self.at
        try:
            done = self.fitted("--epsilon", "1", "--steps", "20", "--draws", "20", *self.flags,
                               env=dict(os.environ, LD_PRELOAD=LIBRARY))
        finally:
            self.at = kept
        files = {path.name: path.read_bytes() for path in (folder / "b").iterdir()}
        return done.stdout, done.stderr, files

    def check(self, *flags):
        self.flags = flags
        self.assertEqual(ROWS[0], HEADER)
        original = self.view("original", ROWS[-1])
        again = self.view("again", ROWS[-1])
        self.assertEqual(original, again, "noise or date is not the same")
        removed = None
        moved = 0
        for name, last in NEIGHBOURS.items():
            with self.subTest(name):
                other = self.view(name, last)
                self.compare(original, other)
                moved += self.draws(original) != self.draws(other)
                removed = removed or other
                for file in [] if name in COUNTED else other[2]:
                    self.assertTrue(other[2][file] == removed[2][file], f"{file} differs")
        self.assertGreater(moved, 0)  # records do count

    @staticmethod
    def draws(view):
        return [line for line in view[2]["draws.csv"].decode().splitlines() if line[:1] != "#"]

    def compare(self, one, other):
        self.assertEqual(one[:2], other[:2])
        self.assertEqual(set(one[2]), set(other[2]))
        for name, content in one[2].items():
            if name == "posterior.nc":
                # The file holds the status, whose words follow from releases.
                if self.status(one) == self.status(other):
                    self.assertEqual(len(content), len(other[2][name]))
            elif name not in FROM_RELEASES:
                self.assertEqual(self.masked(name, content), self.masked(name, other[2][name]), name)
        for name in ("draws.csv", "posterior.json"):
            self.assertEqual(self.shape(one[2][name]), self.shape(other[2][name]), name)

    @staticmethod
    def status(view):
        return re.findall(r"# dp_status.*", view[2]["draws.csv"].decode())

    def masked(self, name, content):
        # The last clip bound and the accuracy follow from releases, like the posterior.
        text = re.sub(r'"last_clip_bound": .*', "", TIME.sub("TIME", content.decode()))
        text = re.sub(r"and \S+ in the last step", "", text)
        if "trace" in self.flags:  # bounds are chosen after the first release
            text = re.sub(r"was \S+ at first", "", text)
            text = re.sub(r'"(clip_bound|phase_clip_bounds|usable_records)":[^,\]]*', "", text)
        if name == "statement.json":
            return re.sub(r'"accuracy": \{.*?\}', "", text, flags=re.S)
        return re.sub(r"## Accuracy\n.*?(?=## )", "", text, flags=re.S)

    @staticmethod
    def shape(content):
        """The text without its numbers, times, and words that follow from releases."""
        text = TIME.sub("TIME", content.decode())
        text = re.sub(r'"reasons": \[(\s*\{[^{}]*\},?)*\s*\]', '"reasons": []', text)
        text = re.sub(r'"(?:status|optimisation|words|reasons|advice|parameters)":[^\]}]*', "", text)
        text = re.sub(r"# dp_status = .*", "", text)
        return NUMBER.sub("0", text)

    def test_whole_fit(self):
        self.check()

    def test_whole_fit_under_add_remove(self):
        self.check("--adjacency", "add-remove")

    def test_whole_fit_by_measurements(self):
        self.check("--posterior", "trace", "--rows", "60")

    # The record that changes is a patient, of whom one row is added, removed or replaced.
    def test_whole_fit_by_unit(self):
        self.by_unit = True
        self.check("--schema", "s.toml")
