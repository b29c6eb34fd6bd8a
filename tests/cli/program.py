"""Runs the program under test, whose path is in the environment variable DPVI_PROGRAM."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["DPVI_PROGRAM"]


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, **options)


class ProgramTest(unittest.TestCase):
    def ok(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def json(self, *arguments, **options):
        return json.loads(self.ok(*arguments, "--json", **options))

    def refused(self, code, words, *arguments, exit_code=64, **options):
        """Asserts that the message has the error code and all `words`, and that stdout is empty."""
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith(f"error[{code}] "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)
