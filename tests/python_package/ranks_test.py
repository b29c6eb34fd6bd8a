"""Fits on several ranks: threads and processes that hold parts of a table."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import dpvi
from dpvi.ranks import GatherRank

PROGRAM = """
data { int<lower=0> N; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 2); y ~ bernoulli_logit(a + b * x); }
"""
KNOBS = dict(epsilon=1, rows=900, posterior="variational", steps=12, sampling_rate=0.3, draws=20, threads=1)
# Cuts into 1, 2, 4 and 7 parts, of different sizes; one part is empty.
CUTS = [[], [100], [100, 100, 500], [1, 90, 200, 300, 650, 899]]

COMPARED = """
import hashlib, json, pathlib, sys
sys.path.insert(0, {here!r})
from ranks_test import CUTS, KNOBS, PROGRAM, fit_in_threads, parts_of, table
import dpvi, dpvi.ranks

def digest(fit):
    lines = pathlib.Path(fit.path, "draws.csv").read_text().splitlines()
    return hashlib.sha256("".join(line for line in lines if "datetime" not in line).encode()).hexdigest()

if __name__ == "__main__":
    data = table()
    found = {{"one process": digest(dpvi.fit(data, PROGRAM, **KNOBS))}}
    for cuts in CUTS:
        found[f"{{len(cuts) + 1}} threads"] = digest(fit_in_threads(parts_of(data, cuts)))
    found["whole table"] = digest(fit_in_threads([data] * 3, whole_table=True))
    found["processes"] = digest(dpvi.ranks.fit_in_processes(parts_of(data, [300]), PROGRAM, **KNOBS))
    print(json.dumps(found))
"""

DYING = """
import os, signal, sys, threading, time
sys.path.insert(0, {here!r})
from ranks_test import KNOBS, PROGRAM, parts_of, table
import dpvi, dpvi.ranks, multiprocessing

def kill_the_other(done, all):
    for process in multiprocessing.active_children():
        os.kill(process.pid, signal.SIGKILL)

if __name__ == "__main__":
    try:
        dpvi.ranks.fit_in_processes(parts_of(table(), [300]), PROGRAM, progress=kill_the_other,
                                    **{{**KNOBS, "steps": 200000}})
    except dpvi.DpviError as error:
        print(error.code)
"""


def table(rows=900):
    generator = np.random.default_rng(3)
    return {"x": generator.normal(size=rows), "y": generator.integers(0, 2, rows)}


def parts_of(data, cuts):
    size = len(data["x"])
    return [{name: cells[begin:end] for name, cells in data.items()}
            for begin, end in zip([0, *cuts], [*cuts, size])]


class Threads:
    """`all_gather` among threads. The others notice if a thread fails before it has given its text."""

    def __init__(self, size):
        self.size, self.failed, self.changed = size, False, threading.Condition()
        self.meetings = []  # texts by rank

    def rank(self, rank):
        numbers = iter(range(10 ** 9))

        def all_gather(text):
            number = next(numbers)
            with self.changed:
                while len(self.meetings) <= number:
                    self.meetings.append({})
                texts = self.meetings[number]
                texts[rank] = text
                self.changed.notify_all()
                self.changed.wait_for(lambda: len(texts) == self.size or self.failed, 60)
                if len(texts) < self.size:
                    raise ConnectionError("a thread has failed")
                return [texts[other] for other in range(self.size)]

        return GatherRank(rank, self.size, all_gather)

    def fail(self):
        with self.changed:
            self.failed = True
            self.changed.notify_all()


def fit_in_threads(parts, change=lambda ranks: ranks, models=None, **more):
    """Returns the root's fit, or raises the first error by rank, with the others in `others`."""
    threads, results = Threads(len(parts)), [None] * len(parts)

    def fit(rank):
        try:
            results[rank] = dpvi.fit(parts[rank], models[rank] if models else PROGRAM,
                                     collective=change(threads.rank(rank)), **{**KNOBS, **more})
        except Exception as error:
            results[rank] = error
            threads.fail()

    running = [threading.Thread(target=fit, args=(rank,)) for rank in range(len(parts))]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if isinstance(results[0], Exception):
        results[0].others = results[1:]
        raise results[0]
    assert results[1:] == [None] * (len(parts) - 1), results
    return results[0]


class Mistaken:
    """A collective that does something else in one of its sums."""

    def __init__(self, ranks, at, mistake):
        self.rank, self.size, self.broadcast = ranks.rank, ranks.size, ranks.broadcast
        self._ranks, self._left, self._mistake = ranks, at, mistake

    def sum(self, values):
        self._left -= 1
        return self._ranks.sum(self._mistake(values) if self._left == 0 else values)


class Ranks(unittest.TestCase):
    def test_the_result_is_that_of_one_process(self):
        script = COMPARED.format(here=str(pathlib.Path(__file__).parent))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "compared.py")
            file.write_text(script)
            done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=600,
                                  env={**os.environ, "LD_PRELOAD": os.environ["DPVI_FIXED_ENTROPY"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        digests = json.loads(done.stdout)
        self.assertEqual(len(digests), 7)
        self.assertEqual(set(digests.values()), {digests["one process"]}, digests)

    def test_the_program_of_the_page_runs(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/ranks.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "several.py")
            file.write_text(re.search(r"```python\n(.*?)```", page, re.DOTALL).group(1))
            done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sd_privacy", done.stdout)

    def test_a_process_that_dies_ends_the_fit(self):
        script = DYING.format(here=str(pathlib.Path(__file__).parent))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "dying.py")
            file.write_text(script)
            done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.stdout, "DP502\n", done.stderr)

    def refused(self, code, words, parts, **options):
        with self.assertRaises(dpvi.DpviError) as caught:
            fit_in_threads(parts, **options)
        self.assertEqual(caught.exception.code, code, caught.exception)
        self.assertIn(words, str(caught.exception))
        return caught.exception

    def test_what_was_not_added_once_is_no_result(self):
        parts = parts_of(table(), [300, 600])
        for mistake in (np.zeros_like, lambda v: 2 * v, lambda v: v.astype(np.float32).astype(np.int64)):
            self.refused("DP502", "not the sum", parts,
                         change=lambda ranks: Mistaken(ranks, 5, mistake) if ranks.rank == 1 else ranks)

    def test_a_table_given_twice_is_refused(self):
        data = table()
        error = self.refused("DP604", "same part", [data, data])
        self.assertEqual(error.others[0].code, "DP604")

    def test_parts_of_units_are_refused(self):
        data = {**table(), "who": np.arange(900) // 2}
        schema = {"table": {"unit": "who", "max_rows_per_unit": 2}}
        self.refused("DP103", "two ranks", parts_of(data, [300]), schema=schema)
        self.assertTrue(fit_in_threads([data] * 2, schema=schema, whole_table=True).private)

    def test_another_plan_on_a_rank_is_refused(self):
        error = self.refused("DP103", "another fit", parts_of(table(), [300]),
                             models=[PROGRAM, PROGRAM.replace("normal(0, 2)", "normal(0, 3)", 1)])
        self.assertEqual(error.others[0].code, "DP103")

    def test_a_rank_that_cannot_begin_ends_the_job(self):
        parts = parts_of(table(), [300])
        for other in ({"x": parts[1]["x"]}, {"x": [[1.0]], "y": [1]}, "missing.csv"):
            self.refused("DP502", "rank 1 could not open", [parts[0], other])

    def test_the_root_alone_is_charged_and_a_lost_rank_leaves_it_charged(self):
        with tempfile.TemporaryDirectory() as folder:
            ledger = dpvi.Ledger.create(os.path.join(folder, "a.ledger"), epsilon=50, delta=1e-5)
            parts = parts_of(table(), [300, 600])
            fit_in_threads(parts, ledger=ledger, delta=1e-6, out=os.path.join(folder, "a"))
            self.assertEqual([entry["state"] for entry in ledger.show()["entries"]], ["released"])

            def lost(values):
                raise OSError("the machine is gone")

            error = self.refused(
                "DP502", "lost", parts, ledger=ledger, delta=1e-6, out=os.path.join(folder, "b"),
                change=lambda ranks: Mistaken(ranks, 6, lost) if ranks.rank == 2 else ranks)
            self.assertIsInstance(error.others[1].__cause__, OSError)
            self.assertFalse(os.path.exists(os.path.join(folder, "b")))
            self.assertEqual([entry["state"] for entry in ledger.show()["entries"]], ["released", "reserved"])


if __name__ == "__main__":
    unittest.main()
