"""The Python code that a report shows runs and reads the draws of its bundle."""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WRITE_BUNDLES = os.environ["DPVI_WRITE_EXAMPLE_BUNDLES"]


def shown_code(page, label):
    block = re.search(rf"<span>{label}</span>.*?<code>(.*?)</code>", page, re.DOTALL)
    return html.unescape(block.group(1))


class ReportCodeTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        subprocess.run([WRITE_BUNDLES, self.folder], check=True)

    def run_code(self, bundle, more):
        folder = self.folder / bundle
        code = shown_code((folder / "report.html").read_text(encoding="utf-8"), "Python")
        done = subprocess.run([sys.executable, "-c", code + more], cwd=folder, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()[-1]

    def test_independent_draws_are_read_without_the_location(self):
        printed = self.run_code("mean_field", "\nprint(len(draws), draws['alpha'].iloc[0], "
                                              "posterior.posterior['alpha'].size)\n")
        self.assertEqual(printed, "40 0.125 40")

    def test_chains_are_read(self):
        printed = self.run_code("sampled", "\nprint(len(draws), draws['alpha'].iloc[0], "
                                           "dict(posterior.posterior.sizes)['chain'])\n")
        self.assertEqual(printed, "40 0.125 2")


if __name__ == "__main__":
    unittest.main()
